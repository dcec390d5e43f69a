/** Which of the known layouts lies at a path. The first step of every run: what is not known is said before anything is measured. */

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { QuarryError } from '../../core/errors.js'
import { arrayElements } from './array-elements.js'
import { type BeirOptions, readBeir } from './beir.js'
import { readCodeSet } from './code.js'
import { readConversations } from './conversations.js'
import { readIssues } from './issues.js'
import { readLongMemEval } from './longmemeval.js'
import { isQuestion, type QuestionListOptions, readQuestionList } from './question-list.js'
import { parseChecked } from './read-data.js'
import type { LabelledSet } from './shape.js'

export type ReadOptions = BeirOptions & QuestionListOptions

/** One, or two where two things can be ranked. */
export const readLabelledSets = async (
  path: string,
  options: ReadOptions = {},
): Promise<readonly LabelledSet[]> => {
  const status = await stat(path).catch(() => null)
  if (status === null) throw new QuarryError('BAD_PATH', `There is nothing at ${path}`, { hint: EXPECTED })
  if (status.isFile()) {
    if (path.endsWith('.json'))
      return [await ((await isQuestionList(path)) ? readQuestionList(path, options) : readLongMemEval(path))]
    throw new QuarryError('BAD_PATH', `${path} is no labelled set`, { hint: EXPECTED })
  }
  const read = await readerOf(path)
  if (read !== null) return [await read(path, options)].flat()
  const inside = await setsInside(path)
  throw new QuarryError('BAD_PATH', `${path} is no labelled set`, {
    hint: inside.length > 0 ? `quarry bench ${inside.join(' ')}` : EXPECTED,
  })
}

export const EXPECTED =
  'a set is a folder with corpus.jsonl, queries.jsonl and qrels/*.tsv (BEIR), with turns.jsonl and queries.jsonl (conversations), with repos.json and annotations/ (code) or with repos.json and instances.jsonl (issues), a LongMemEval .json file or a .json list of questions'

const LAYOUTS: readonly {
  readonly names: readonly string[]
  readonly read: (path: string, options: ReadOptions) => Promise<LabelledSet | readonly LabelledSet[]>
}[] = [
  { names: ['corpus.jsonl', 'queries.jsonl', 'qrels'], read: readBeir },
  { names: ['turns.jsonl', 'queries.jsonl'], read: readConversations },
  { names: ['repos.json', 'annotations'], read: readCodeSet },
  { names: ['repos.json', 'instances.jsonl'], read: readIssues },
  { names: ['natural.json'], read: (path, options) => readQuestionList(join(path, 'natural.json'), options) },
]

/** By its first element alone: the files of LongMemEval are large. */
const isQuestionList = async (file: string): Promise<boolean> => {
  for await (const { place, text } of arrayElements(file))
    return isQuestion(parseChecked(z.unknown(), text, place))
  // Objects are what it looks for: there are none, so it is short, or a list of texts.
  return isQuestion(parseChecked(z.array(z.unknown()), await readFile(file, 'utf8'), file)[0])
}

const readerOf = async (directory: string) => {
  const there = await readdir(directory)
  return LAYOUTS.find(({ names }) => names.every(name => there.includes(name)))?.read ?? null
}

/** Whoever names the folder above means the sets in it, most likely. */
const setsInside = async (directory: string): Promise<readonly string[]> => {
  const found: string[] = []
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory() && (await readerOf(path).catch(() => null)) !== null) found.push(path)
  }
  return found.sort()
}
