/**
 * The BEIR layout: `corpus.jsonl`, `queries.jsonl` and `qrels/<split>.tsv`. Each document becomes a file, for files are what Quarry
 * searches; its name has the ending of a language where the documents are code, so that they are cut as code.
 */

import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import { QuarryError } from '../../core/errors.js'
import { samePath } from '../metrics/match.js'
import { badData, type DataReader, dataReader } from './read-data.js'
import { type BenchQuery, type LabelledSet, type LeftOut, type Target, withChosen } from './shape.js'

const documentRow = z.object({ _id: z.string().min(1), title: z.string().default(''), text: z.string() })
const queryRow = z.object({ _id: z.string(), text: z.string() })
type Document = z.infer<typeof documentRow>

export interface BeirOptions {
  /** Of `qrels/`; `test`, or the only one there is, unless told. */
  readonly split?: string
  /** Of the files; guessed from the documents unless told. */
  readonly extension?: string
}

export const readBeir = async (directory: string, options: BeirOptions = {}): Promise<LabelledSet> => {
  const folder = basename(resolve(directory))
  const split = await chooseSplit(directory, options.split)
  const reader = dataReader(directory)
  const documents = await reader.jsonLines('corpus.jsonl', documentRow)
  // Taken before the queries are read: two splits share their documents on disk.
  const documentsHash = reader.hash()
  const extension = options.extension ?? guessExtension(documents)
  const paths = new Map(documents.map(({ _id }) => [_id, `${fileName(_id)}.${extension}`]))
  const { queries, leftOut } = await readQueries(reader, { folder, split, paths })
  const corpus = {
    ...{ name: folder, repository: folder, language: extension, queries, matches: samePath },
    material: {
      kind: 'documents' as const,
      hash: `${documentsHash}.${extension}`,
      files: documents.map(({ _id, title, text }) => ({
        path: paths.get(_id)!,
        text: title === '' ? text : `${title}\n\n${text}`,
      })),
    },
  }
  return {
    ...{ name: `${folder}-${split}`, layout: 'documents', hash: reader.hash(), questions: queries, leftOut },
    corpora: chosen => withChosen([corpus], chosen),
    remarks: options.extension
      ? []
      : [`documents are searched as .${extension} files, by the look of them; --extension says otherwise`],
  }
}

/** Names become file names, so they must not lead anywhere. */
const fileName = (id: string): string =>
  /^[\w-]{1,120}$/.test(id) ? id : `id-${createHash('sha256').update(id).digest('hex').slice(0, 24)}`

const chooseSplit = async (directory: string, asked: string | undefined): Promise<string> => {
  const splits = (await readdir(join(directory, 'qrels')))
    .filter(name => name.endsWith('.tsv'))
    .map(name => name.slice(0, -4))
    .sort()
  const found = splits.find(split => split === (asked ?? 'test')) ?? (asked ? undefined : splits[0])
  if (found !== undefined && (asked !== undefined || found === 'test' || splits.length === 1)) return found
  const there = splits.join(', ') || 'none'
  throw new QuarryError(
    'BAD_INPUT',
    `${join(directory, 'qrels')} has ${asked ? `no ${asked}.tsv` : 'no test.tsv, and more than one other'}: there are ${there}`,
    { hint: splits.length > 0 ? `--split ${splits[0]}` : 'qrels/test.tsv: query-id, corpus-id, score' },
  )
}

/** What most documents of a corpus of functions begin with. Anything else is prose. */
const BEGINNINGS: readonly (readonly [string, RegExp])[] = [
  ['py', /^(?:@\w|(?:async )?def \w|class \w+[:(]|import \w|from \w+ import)/],
  ['go', /^(?:func[ (]|package \w)/],
  ['php', /^(?:<\?php|(?:(?:public|private|protected|static|final|abstract) )*function \w+\s*\(.*\$)/],
  ['js', /^(?:(?:async )?function[ (*]|(?:const|let|var) \w+ = )/],
  ['java', /^(?:@Override\b|(?:public|private|protected) )/],
]
const MOST = 0.6

const guessExtension = (documents: readonly Document[]): string => {
  const sample = documents.slice(0, 1_000)
  const share = (pattern: RegExp): number =>
    sample.filter(({ text }) => pattern.test(text.trimStart())).length / sample.length
  return BEGINNINGS.find(([, pattern]) => share(pattern) >= MOST)?.[0] ?? 'txt'
}

interface Layout {
  readonly folder: string
  readonly split: string
  /** By the id of the document. */
  readonly paths: ReadonlyMap<string, string>
}

/** Queries of the split in the order of their file, each with its relevant documents. */
const readQueries = async (reader: DataReader, { folder, split, paths }: Layout) => {
  const targets = new Map<string, Target[]>()
  const leftOut: LeftOut[] = []
  for (const { place, fields } of await reader.tabbed(`qrels/${split}.tsv`)) {
    const [queryId, documentId, score] = fields
    const grade = Number(score)
    if (queryId === undefined || documentId === undefined || score === undefined || Number.isNaN(grade))
      throw badData(`${place}: it must be query-id, corpus-id and score with tabs between them`)
    if (!(grade > 0)) continue
    if (!paths.has(documentId))
      leftOut.push({ id: queryId, reason: `document ${documentId} is not in the corpus` })
    const list = targets.get(queryId) ?? []
    // It counts all the same: a document that is not there is not found.
    list.push({ path: paths.get(documentId) ?? `${fileName(documentId)}.missing`, grade })
    targets.set(queryId, list)
  }
  const queries: BenchQuery[] = (await reader.jsonLines('queries.jsonl', queryRow)).flatMap(
    ({ _id, text }) => {
      const found = targets.get(_id)
      return found ? [{ id: _id, text, category: folder, targets: found }] : []
    },
  )
  return { queries, leftOut }
}
