/** Sets in the BEIR layout, one file for each document: cosqa (query → function) and scifact (claim → abstract). */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { samePath } from '../metrics/match.js'
import type { Places } from './places.js'
import { type DataReader, dataReader } from './read-data.js'
import type { BenchQuery, BenchSet, LeftOut, Target } from './shape.js'

/** Names become file names, so they must not lead anywhere. */
const fileName = z.string().regex(/^[\w-]+$/)
const documentRow = z.object({ _id: fileName, title: z.string().default(''), text: z.string() })
const queryRow = z.object({ _id: z.string(), text: z.string() })

interface Layout {
  readonly folder: 'cosqa' | 'scifact'
  readonly split: string
  readonly extension: string
  readonly language: string
  readonly write: (document: z.infer<typeof documentRow>) => string
}

export const loadCosqa = (places: Places): Promise<BenchSet> =>
  load(places, {
    folder: 'cosqa',
    split: 'dev',
    extension: 'py',
    language: 'python',
    write: ({ text }) => text,
  })

/** `train` is for tuning, `test` for reporting; both search the same documents. */
export const loadScifact = (places: Places, split: 'train' | 'test'): Promise<BenchSet> =>
  load(places, {
    folder: 'scifact',
    split,
    extension: 'txt',
    language: 'text',
    write: ({ title, text }) => `${title}\n\n${text}`,
  })

const load = async (places: Places, layout: Layout): Promise<BenchSet> => {
  const reader = dataReader(join(places.data, layout.folder))
  const documents = await reader.jsonLines('corpus.jsonl', documentRow)
  // Taken before the queries are read: the two scifact sets share their documents on disk.
  const documentsHash = reader.hash()
  const { queries, leftOut } = await readQueries(reader, layout, new Set(documents.map(({ _id }) => _id)))

  const prepare = async (scratch: string): Promise<string> => {
    const directory = join(scratch, layout.folder)
    const mark = `${directory}.hash`
    if ((await readFile(mark, 'utf8').catch(() => null)) === documentsHash) return directory
    await rm(mark, { force: true })
    await rm(directory, { recursive: true, force: true })
    await mkdir(directory, { recursive: true })
    for (const entry of documents) {
      await writeFile(join(directory, `${entry._id}.${layout.extension}`), layout.write(entry))
    }
    await writeFile(mark, documentsHash)
    return directory
  }

  const { folder, split, language } = layout
  const corpus = { name: folder, repository: folder, language, queries, prepare, matches: samePath }
  return { name: `${folder}-${split}`, hash: reader.hash(), corpora: [corpus], leftOut }
}

/** Queries of the split in the order of their file, each with its relevant documents. */
const readQueries = async (reader: DataReader, layout: Layout, known: ReadonlySet<string>) => {
  const targets = new Map<string, Target[]>()
  const leftOut: LeftOut[] = []
  for (const [queryId = '', documentId = '', score] of await reader.tabbed(`qrels/${layout.split}.tsv`)) {
    const grade = Number(score)
    if (!(grade > 0)) continue
    if (!known.has(documentId))
      leftOut.push({ id: queryId, reason: `document ${documentId} is not in the corpus` })
    const list = targets.get(queryId) ?? []
    list.push({ path: `${documentId}.${layout.extension}`, grade })
    targets.set(queryId, list)
  }
  const queries: BenchQuery[] = (await reader.jsonLines('queries.jsonl', queryRow)).flatMap(
    ({ _id, text }) => {
      const found = targets.get(_id)
      return found ? [{ id: _id, text, category: layout.folder, targets: found }] : []
    },
  )
  return { queries, leftOut }
}
