/** `quarry doctor`: what is wrong with an index. The quick look compares counts, the deep one reads every byte that matters. */

import { QuarryError } from '../../../core/errors.js'
import { checkContents } from './check-contents.js'
import type { Database } from './database.js'
import { expectedSchema, SCHEMA_ENTRIES } from './expected-schema.js'
import { openForReading } from './open-database.js'

/** A list longer than this says no more than its beginning. */
const MOST_FINDINGS = 50

export const checkIndex = async (directory: string, deep: boolean): Promise<readonly string[]> => {
  let database: Database | undefined
  try {
    database = await openForReading(directory)
    const wanted = await expectedSchema()
    const opened = database
    return opened.read(() => {
      const shallow = [...schemaFindings(opened, wanted), ...countFindings(opened)]
      return (deep ? [...shallow, ...pageFindings(opened), ...checkContents(opened)] : shallow).slice(
        0,
        MOST_FINDINGS,
      )
    })
  } catch (error) {
    // What cannot be read to its end is not sound, whatever SQLite calls it.
    if (error instanceof QuarryError && (error.code === 'INDEX_DAMAGED' || error.code === 'INTERNAL'))
      return [error.message]
    throw error
  } finally {
    database?.close()
  }
}

const schemaFindings = (database: Database, wanted: readonly string[]): string[] => {
  const present = new Set(database.all<{ entry: string }>(SCHEMA_ENTRIES).map(({ entry }) => entry))
  const isExpected = present.size === wanted.length && wanted.every(entry => present.has(entry))
  return isExpected ? [] : ['the tables are not those that this version makes']
}

const COUNTS: readonly (readonly [finding: string, sql: string])[] = [
  [
    'chunks and full-text rows do not agree in number',
    'SELECT (SELECT count(words) FROM chunks) <> (SELECT count(*) FROM words_docsize)',
  ],
  [
    'chunks and texts do not agree in number',
    'SELECT (SELECT count(*) FROM chunks) <> (SELECT count(*) FROM texts)',
  ],
  [
    'documents do not have as many chunks as they say',
    'SELECT coalesce((SELECT sum(chunks) FROM documents), 0) <> (SELECT count(*) FROM chunks)',
  ],
  [
    'there are chunks without a document',
    'SELECT EXISTS (SELECT 1 FROM chunks WHERE document NOT IN (SELECT id FROM documents))',
  ],
  [
    'there are chunks without a text',
    'SELECT EXISTS (SELECT 1 FROM chunks WHERE NOT EXISTS (SELECT 1 FROM texts WHERE texts.chunk = chunks.id))',
  ],
  [
    'there are chunks without full-text rows',
    'SELECT EXISTS (SELECT 1 FROM chunks WHERE words IS NOT NULL AND NOT EXISTS (SELECT 1 FROM words_docsize WHERE words_docsize.id = chunks.id))',
  ],
  [
    'there are chunks without an embedding row',
    'SELECT EXISTS (SELECT 1 FROM chunks WHERE embedding IS NOT NULL AND embedding NOT IN (SELECT id FROM embeddings))',
  ],
]

const countFindings = (database: Database): string[] =>
  COUNTS.filter(([, sql]) => database.value<number>(sql) !== 0).map(([finding]) => finding)

const pageFindings = (database: Database): string[] =>
  database
    .all<{ integrity_check: string }>(`PRAGMA integrity_check(${MOST_FINDINGS})`)
    .map(row => row.integrity_check)
    .filter(finding => finding !== 'ok')
