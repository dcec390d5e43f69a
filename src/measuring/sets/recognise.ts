/** Which of the known layouts lies at a path. The first step of every run: what is not known is said before anything is measured. */

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import { type BeirOptions, readBeir } from './beir.js'
import { readCodeSet } from './code.js'
import { readConversations } from './conversations.js'
import { readLongMemEval } from './longmemeval.js'
import type { LabelledSet } from './shape.js'

export const readLabelledSet = async (path: string, options: BeirOptions = {}): Promise<LabelledSet> => {
  const status = await stat(path).catch(() => null)
  if (status === null) throw new QuarryError('BAD_PATH', `There is nothing at ${path}`, { hint: EXPECTED })
  if (status.isFile()) {
    if (path.endsWith('.json')) return readLongMemEval(path)
    throw new QuarryError('BAD_PATH', `${path} is no labelled set`, { hint: EXPECTED })
  }
  const read = await readerOf(path)
  if (read !== null) return read(path, options)
  const inside = await setsInside(path)
  throw new QuarryError('BAD_PATH', `${path} is no labelled set`, {
    hint: inside.length > 0 ? `quarry bench ${inside.join(' ')}` : EXPECTED,
  })
}

export const EXPECTED =
  'a set is a folder with corpus.jsonl, queries.jsonl and qrels/*.tsv (BEIR), with turns.jsonl and queries.jsonl (conversations) or with repos.json and annotations/ (code), or a LongMemEval .json file'

const LAYOUTS: readonly {
  readonly names: readonly string[]
  readonly read: (path: string, options: BeirOptions) => Promise<LabelledSet>
}[] = [
  { names: ['corpus.jsonl', 'queries.jsonl', 'qrels'], read: readBeir },
  { names: ['turns.jsonl', 'queries.jsonl'], read: readConversations },
  { names: ['repos.json', 'annotations'], read: readCodeSet },
]

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
