/**
 * A list of questions about one repository, as a JSON file: with the files that each should find, or bare texts. The list does
 * not say which repository; whoever asks does, save for lists that were published with it.
 */

import { existsSync } from 'node:fs'
import { basename, dirname, isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { QuarryError } from '../../core/errors.js'
import { samePath } from '../metrics/match.js'
import { dataReader } from './read-data.js'
import { type BenchQuery, type LabelledCorpus, type LabelledSet, type Material, withChosen } from './shape.js'

const labelled = z.object({
  id: z.string().optional(),
  query: z.string(),
  expected_files: z.array(z.string()).min(1),
  tier: z.union([z.number(), z.string()]).optional(),
})
const rows = z.union([z.array(z.string()).min(1), z.array(labelled)])

export interface QuestionListOptions {
  /** `DIRECTORY`, `owner/name` or an address, and behind an `@` the commit. */
  readonly repository?: string
  /** Globs of files that must not be found. */
  readonly without?: readonly string[]
}

interface Subject {
  readonly repository: string
  readonly without: readonly string[]
}

/** By folder and name, or name alone. What is left out holds the questions: a search that finds it proves nothing. */
const PUBLISHED: Readonly<Record<string, Subject>> = {
  'codescout/natural.json': {
    repository: 'mareurs/codescout@ede25e694b63219e1382f359d7ba242f66a516a5',
    without: [
      'docs/research/2026-04-03-embedding-model-benchmark.md',
      'docs/research/2026-05-06-retrieval-stack-benchmark.md',
      'docs/trackers/retrieval-benchmark.md',
      'scripts/run-tc-benchmark.py',
      'scripts/tc-suites/**',
      '.codescout/projects/**',
    ],
  },
  'multi-hop-queries.json': {
    repository: 'forkni/claude-context-local@f9ea91de9edb1e731a1608b6ea321e49edc46ddf',
    without: [],
  },
}

/** Whether what a JSON list begins with is a question of this kind; other lists are LongMemEval's. */
export const isQuestion = (first: unknown): boolean =>
  typeof first === 'string' || (typeof first === 'object' && first !== null && 'expected_files' in first)

/** A list has a repository behind it, always. */
export interface QuestionCorpus extends LabelledCorpus {
  readonly material: Extract<Material, { kind: 'repository' }>
}

export const readQuestionList = async (
  file: string,
  options: QuestionListOptions = {},
): Promise<LabelledSet & { readonly list: QuestionCorpus }> => {
  const reader = dataReader(dirname(file))
  const list = await reader.json(basename(file), rows)
  const subject = subjectOf(file, options)
  const { url, revision } = parseRepository(subject.repository)
  const isLabelled = list.some(row => typeof row !== 'string')
  const queries = list.map(
    (row, position): BenchQuery =>
      typeof row === 'string'
        ? { id: `${position + 1}`, text: row, category: '', targets: [] }
        : {
            ...{ id: row.id ?? `${position + 1}`, text: row.query },
            category: row.tier === undefined ? '' : `tier-${row.tier}`,
            targets: row.expected_files.map(path => ({ path, grade: 1 })),
          },
  )
  const name = nameOf(file)
  const corpus: QuestionCorpus = {
    ...{ name, repository: name, language: 'code', queries, matches: samePath },
    material: { kind: 'repository', url, revision, directory: '', without: subject.without },
  }
  const left = subject.without.length === 0 ? '' : `, without ${subject.without.join(', ')}`
  return {
    ...{ name, layout: isLabelled ? 'points' : 'unlabelled', hash: reader.hash(), leftOut: [] },
    ...{ questions: queries, list: corpus },
    corpora: chosen => withChosen([corpus], chosen),
    remarks: [`asked of ${shortened(url)} at ${revision.slice(0, 12)}${left}`],
  }
}

const subjectOf = (file: string, { repository, without = [] }: QuestionListOptions): Subject => {
  const path = resolve(file)
  const known = PUBLISHED[`${basename(dirname(path))}/${basename(path)}`] ?? PUBLISHED[basename(path)]
  if (repository !== undefined) return { repository, without }
  if (known !== undefined) return { ...known, without: [...known.without, ...without] }
  throw new QuarryError('BAD_INPUT', `${file} does not say which repository its questions are about`, {
    hint: `quarry bench ${file} --repository DIRECTORY`,
  })
}

/** What stands behind the last `@` is a commit, unless the `@` belongs to an address such as `git@host:owner/name`. */
const parseRepository = (text: string): { readonly url: string; readonly revision: string } => {
  const [, place = text, revision = 'HEAD'] = /^(.+)@([^@/:]+)$/.exec(text) ?? []
  if (existsSync(place)) return { url: resolve(place), revision }
  if (/^[\w.-]+\/[\w.-]+$/.test(place)) return { url: `https://github.com/${place}.git`, revision }
  if (/[/:]/.test(place)) return { url: place, revision }
  throw new QuarryError('BAD_PATH', `There is no repository at ${place}`, {
    hint: '--repository takes a directory, owner/name or an address, and behind an @ the commit',
  })
}

/** `natural.json` says less than the folder it lies in. */
const nameOf = (file: string): string => {
  const path = resolve(file)
  return basename(path) === 'natural.json' ? basename(dirname(path)) : basename(path).replace(/\.json$/, '')
}

/** Of a directory of this machine only the last name is anyone's business. */
const shortened = (url: string): string =>
  isAbsolute(url)
    ? basename(url)
    : url
        .replace(/\.git$/, '')
        .split(/[/:]/)
        .slice(-2)
        .join('/')
