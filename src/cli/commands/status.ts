/** `quarry status`: what the index holds, how far it is behind the work tree, and what was left out for which reason. */

import type { IndexState } from '../../core/answers.js'
import type { Skipped, SkipReason } from '../../core/types.js'
import type { Status } from '../../index.js'
import { encode } from '../../present/json.js'
import type { Paint } from '../../present/paint.js'
import { paintWith } from '../../present/paint.js'
import { sanitiseLine } from '../../present/sanitise.js'
import { counted, grouped, warningText } from '../../present/talk.js'
import type { CommonFlags } from '../flags.js'
import { withQuarry } from '../open.js'
import type { Surroundings } from '../program.js'

interface Flags extends CommonFlags {
  readonly skipped?: boolean
}

export const runStatus = async (flags: Flags, { terminal }: Surroundings): Promise<number> =>
  withQuarry(flags, async quarry => {
    const status = await quarry.status()
    const paint = paintWith(terminal.colour)
    if (flags.json) await terminal.print(`${encode(status, 2)}\n`)
    else if (flags.skipped) await terminal.print(skippedText(status, paint))
    else await terminal.print(statusText(status, paint))
    terminal.talk(warningText([...quarry.warnings, ...(flags.json ? [] : status.warnings)], terminal.paint))
    if (status.index === null && status.problem === null && !flags.json)
      terminal.talk(`${terminal.paint.faint(' hint:')} quarry index\n`)
    return status.index === null ? 1 : 0
  })

const statusText = (status: Status, paint: Paint): string => {
  const { root, indexDirectory, index, changed, gone, skippedByReason } = status
  const rows: [string, string][] = [
    ['directory', sanitiseLine(root)],
    ['index', sanitiseLine(indexDirectory)],
  ]
  if (index === null) rows.push(['state', status.problem === null ? 'not indexed' : 'cannot be read'])
  else {
    rows.push(
      ['indexed', index.indexedAt ?? 'unfinished: run quarry index'],
      ['files', grouped(index.documents)],
      ['chunks', grouped(index.chunks)],
      ...vectorRows(index, status.models),
      ...missingModels(status),
    )
  }
  rows.push(
    [
      'changed',
      changed + gone === 0 ? 'nothing' : `${counted(changed, 'file')} new or changed, ${grouped(gone)} gone`,
    ],
    ['left out', leftOut(skippedByReason)],
    ...redactedRows(status),
    ...historyRows(status),
    ...notesRows(status),
  )
  return rows.map(([name, value]) => `${paint.faint(name.padEnd(10))} ${value}\n`).join('')
}

const vectorRows = ({ vectors }: IndexState, models: Status['models']): [string, string][] =>
  Object.entries(vectors).map(([id, share]) => {
    const isUsed = models.every(({ name, needed }) => needed || !id.startsWith(`${name}/`))
    return ['vectors', `${percent(share)}  ${id}${isUsed ? '' : ' (not used here)'}`]
  })

/** Of those that have begun the rows above tell. */
const missingModels = ({ models, index }: Status): [string, string][] =>
  models
    .filter(({ needed, vectors }) => needed && vectors === 0 && index?.chunks !== 0)
    .map(({ name, present }) => {
      const mend = present ? 'quarry index --wait' : `the model is not here: quarry models pull ${name}`
      return ['vectors', `${percent(0)}  ${name} (${mend})`]
    })

const notesRows = ({ notes }: Status): [string, string][] => {
  if (notes === null) return []
  const { file, notes: count, sessions, pending } = notes
  const waiting = pending === 0 ? '' : `, ${grouped(pending)} not searched yet`
  return [
    ['notes', `${counted(count, 'note')}, ${counted(sessions, 'conversation')}${waiting}`],
    ['', sanitiseLine(file)],
  ]
}

const historyRows = ({ history }: Status): [string, string][] => {
  if (history === null) return [['history', 'no git repository here']]
  const { index, head, branch, missing, gone, limits, skipped, problem } = history
  const at =
    head === null
      ? problem === null
        ? ['no commit yet']
        : []
      : [`at ${head.slice(0, 12)}${branch === null ? '' : ` on ${branch}`}`]
  const state =
    index === null
      ? problem === null
        ? 'not indexed'
        : 'cannot be read'
      : `${index.indexedAt === null ? 'unfinished, ' : ''}${counted(index.documents, 'commit')}, ${counted(index.chunks - index.documents, 'hunk')}`
  const behind =
    (missing ?? 0) + (gone ?? 0) === 0
      ? []
      : [`${counted(missing ?? 0, 'commit')} to take in, ${grouped(gone ?? 0)} to drop`]
  return [
    ['history', [state, ...at, ...behind].map(sanitiseLine).join(', ')],
    ...unread(skipped).map((line): [string, string] => ['', line]),
    ...limits.map((limit): [string, string] => ['', sanitiseLine(limit)]),
  ]
}

/** Commits that are missing whole, and the files that others are missing. */
const unread = (skipped: readonly Skipped[]): string[] => {
  const commits = skipped.filter(({ reason }) => reason === 'missing-object').length
  const reasons: Partial<Record<SkipReason, number>> = {}
  for (const { reason } of skipped)
    if (reason !== 'missing-object') reasons[reason] = (reasons[reason] ?? 0) + 1
  // Of a commit with very many files the last entry stands for the rest of them.
  const atLeast = skipped.some(({ path }) => path.endsWith(':*')) ? 'more than ' : ''
  return [
    ...(commits === 0 ? [] : [`${counted(commits, 'commit')} could not be read: quarry status --skipped`]),
    ...(skipped.length === commits ? [] : [`files left out of commits: ${atLeast}${leftOut(reasons)}`]),
  ]
}

const leftOut = (reasons: Status['skippedByReason']): string => {
  const counts = Object.entries(reasons).sort(([, a], [, b]) => b - a)
  return counts.length === 0
    ? 'nothing'
    : counts.map(([reason, count]) => `${grouped(count)} ${reason}`).join(', ')
}

const redactedRows = ({ redacted }: Status): [string, string][] => {
  if (redacted.length === 0) return []
  const files = new Set(redacted.map(({ path }) => path.slice(0, path.lastIndexOf(':')))).size
  const kinds: Record<string, number> = {}
  for (const { detail = '' } of redacted) kinds[detail] = (kinds[detail] ?? 0) + 1
  const what = Object.entries(kinds).map(([kind, count]) => `${grouped(count)} ${kind}`)
  return [
    ['redacted', `${counted(redacted.length, 'secret')} in ${counted(files, 'file')}: ${what.join(', ')}`],
  ]
}

const percent = (share: number): string => `${String(Math.floor(share * 100)).padStart(3)} %`

const skippedText = ({ skipped, redacted, history }: Status, paint: Paint): string =>
  [...skipped, ...redacted, ...(history?.skipped ?? [])]
    .map(({ path, reason, detail }) => {
      const why = detail === undefined ? '' : `  ${paint.faint(sanitiseLine(detail))}`
      return `${reason.padEnd(14)} ${sanitiseLine(path)}${why}\n`
    })
    .join('')
