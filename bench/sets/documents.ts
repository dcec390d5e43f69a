/** Sets in the BEIR layout, one file for each document: cosqa (query → function) and scifact (claim → abstract). */

import { join } from 'node:path'
import { readBeir } from '#dist/measuring/sets/beir.js'
import { writeDocuments } from '#dist/measuring/sets/write-documents.js'
import type { Places } from './places.js'
import type { BenchSet, Corpus } from './shape.js'

interface Layout {
  readonly folder: 'cosqa' | 'scifact'
  readonly split: string
  readonly extension: string
  readonly language: string
}

export const loadCosqa = (places: Places): Promise<BenchSet> =>
  load(places, { folder: 'cosqa', split: 'dev', extension: 'py', language: 'python' })

/** `train` is for tuning, `test` for reporting; both search the same documents. */
export const loadScifact = (places: Places, split: 'train' | 'test'): Promise<BenchSet> =>
  load(places, { folder: 'scifact', split, extension: 'txt', language: 'text' })

const load = async (places: Places, { folder, split, extension, language }: Layout): Promise<BenchSet> => {
  const set = await readBeir(join(places.data, folder), { split, extension })
  const corpora: Corpus[] = []
  for await (const { material, ...corpus } of set.corpora(new Set(set.questions.map(({ id }) => id)))) {
    const prepare = async (scratch: string): Promise<string> => {
      const directory = join(scratch, folder)
      if (material.kind === 'documents') await writeDocuments(directory, material)
      return directory
    }
    corpora.push({ ...corpus, language, prepare })
  }
  return { name: set.name, hash: set.hash, corpora, leftOut: set.leftOut }
}
