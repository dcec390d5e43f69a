/**
 * Turns what people call a commit into its id. Names are looked up in the refs we read ourselves; git only ever sees hex digits
 * and the steps behind them, and sees those on stdin, where nothing can be an option.
 */

import { QuarryError } from '../../core/errors.js'
import { idPattern, type Ref } from './refs.js'
import type { Repository } from './shadow.js'

const LONGEST_REVISION = 512
const STEPS = /^(?:~\d{0,9}|\^\d{0,3})*$/

/** Every branch, remote branch and tag, sorted by name. */
export const listRefs = async (repository: Repository): Promise<Ref[]> => [
  ...(await repository.refs()).refs.values(),
]

/**
 * The commit that a branch, tag, remote branch, `HEAD` or (shortened) id names, with any number of `~2` and `^` behind it.
 * Throws `BAD_INPUT` for everything else, before git is asked where the text could be read as anything else.
 */
export const resolveRevision = async (repository: Repository, text: string): Promise<string> => {
  const { base, steps } = splitRevision(text)
  const { refs, head } = await repository.refs()
  const isId = idPattern(repository.facts.objectFormat)
  const id = isId.test(base)
    ? base
    : base === 'HEAD' || base === '@'
      ? head
      : (named(refs, base)?.sha ?? (/^[0-9a-f]{4,64}$/i.test(base) ? base.toLowerCase() : null))
  if (id === null) throw unknown(text)
  const [answer] = await checkObjects(repository, [`${id}${steps}^{commit}`])
  if (answer?.kind === 'ambiguous')
    throw new QuarryError('BAD_INPUT', `${JSON.stringify(text)} is the beginning of several ids`, {
      hint: 'give more digits of the commit id',
    })
  if (answer?.kind !== 'commit') throw unknown(text)
  return answer.id
}

/** The refs that a name or a pattern with `*` means; a pattern is held against whole names and their ends. */
export const refsMatching = (refs: ReadonlyMap<string, Ref>, pattern: string): Ref[] => {
  if (!pattern.includes('*')) {
    const ref = named(refs, pattern)
    return ref === undefined ? [] : [ref]
  }
  const body = pattern
    .split(/\*+/)
    .map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  const matcher = new RegExp(`^(?:refs/(?:heads/|tags/|remotes/)?)?${body}$`)
  return [...refs.values()].filter(({ name }) => matcher.test(name))
}

/** Refuses whatever git or a shell might read as something else. */
export const checkRevisionText = (text: string): void => {
  const refuse = (why: string): never => {
    throw new QuarryError('BAD_INPUT', `The revision ${shown(text)} ${why}`, {
      hint: 'name a branch, a tag or a commit id',
    })
  }
  if (text === '') refuse('is empty')
  if (text.length > LONGEST_REVISION) refuse('is too long')
  if (text.startsWith('-')) refuse('looks like an option')
  if (/[\0-\x20\x7f]/.test(text) || !text.isWellFormed()) refuse('holds blanks or control characters')
  if (text.includes('..')) refuse('is a range')
  if (text.includes('@{') || /[:?[\\{}]/.test(text)) refuse('is more than the name of a commit')
}

const splitRevision = (text: string): { base: string; steps: string } => {
  checkRevisionText(text)
  const at = text.search(/[~^]/)
  const [base, steps] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)]
  if (base === '' || base.includes('*') || !STEPS.test(steps)) throw unknown(text)
  return { base, steps }
}

/** In git's own order. */
const named = (refs: ReadonlyMap<string, Ref>, name: string): Ref | undefined =>
  [
    name,
    `refs/${name}`,
    `refs/tags/${name}`,
    `refs/heads/${name}`,
    `refs/remotes/${name}`,
    `refs/remotes/${name}/HEAD`,
  ]
    .map(full => refs.get(full))
    .find(ref => ref !== undefined)

export interface ObjectAnswer {
  readonly id: string
  readonly kind: 'commit' | 'tree' | 'blob' | 'tag' | 'missing' | 'ambiguous'
  readonly size: number
}

/** What each object is, in order, asked without reading it. Queries are ids with steps behind them, never names. */
export const checkObjects = async (
  repository: Repository,
  queries: readonly string[],
  signal?: AbortSignal,
): Promise<ObjectAnswer[]> => {
  if (queries.length === 0) return []
  const input = `${queries.join('\n')}\n`
  const options = signal ? { input, signal } : { input }
  const output = await repository.run(['cat-file', '--batch-check'], options)
  const lines = output.toString('utf8').split('\n').slice(0, queries.length)
  return lines.map(line => {
    const [, id = '', kind = 'missing', size = '0'] =
      /^([0-9a-f]+) (commit|tree|blob|tag) (\d+)$/.exec(line) ?? []
    if (id === '') return { id: '', kind: line.endsWith(' ambiguous') ? 'ambiguous' : 'missing', size: 0 }
    return { id, kind: kind as ObjectAnswer['kind'], size: Number(size) }
  })
}

const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

const unknown = (text: string): QuarryError =>
  new QuarryError('BAD_INPUT', `${shown(text)} names no commit of this repository`, {
    hint: 'git branch --all and git tag list the names there are',
  })
