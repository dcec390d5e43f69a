/** A filter as the set of chunks it allows, so that lanes can narrow before they cut off. */

import type { ChunkFilter } from '../../../core/questions.js'
import type { CodeSymbol, CommitFacts } from '../../../core/types.js'
import { compileGlobs } from '../../../text/glob.js'
import { languageOf } from '../../../text/language.js'
import type { Database } from './database.js'
import { parseNumbers } from './numbers.js'
import { decodeSymbols } from './stored-chunks.js'

interface DocumentRow {
  readonly id: number
  readonly path: string
  readonly language: string
  readonly places: string | null
  readonly commit: string | null
}

/** By chunk id, 1 for the allowed ones; null when nothing is narrowed. An empty list narrows as little as an absent one. */
export const allowedChunks = (database: Database, filter: ChunkFilter): Uint8Array | null => {
  const { since, until, author = '' } = filter
  const kinds = filter.kinds ?? []
  const languages = filter.languages ?? []
  const paths = filter.paths ?? []
  const named = filter.documents ?? []
  const speaker = filter.speaker ?? ''
  const isPlaced = languages.length > 0 || paths.length > 0
  const isTimed = since !== undefined || until !== undefined
  if (!isPlaced && !isTimed && kinds.length + named.length === 0 && author === '' && speaker === '')
    return null
  const documents = database.all<DocumentRow>(
    `SELECT id, path, language, ${isPlaced ? 'places' : 'NULL AS places'}, "commit" FROM documents
     WHERE (?1 IS NULL OR kind IN (SELECT value FROM json_each(?1)))
       AND (?2 IS NULL OR time >= ?2)
       AND (?3 IS NULL OR time <= ?3)
       AND (?4 IS NULL OR path IN (SELECT value FROM json_each(?4)))`,
    kinds.length === 0 ? null : JSON.stringify(kinds),
    since ?? null,
    until ?? null,
    named.length === 0 ? null : JSON.stringify(named),
  )
  const isThere = placeFilter(languages, paths)
  const isBy = authorFilter(author)
  const wanted = new Set(documents.filter(row => isThere(row) && isBy(row)).map(({ id }) => id))
  const lists = database.get<{ ids: string | null; documents: string | null; last: number | null }>(
    `SELECT group_concat(id) AS ids, group_concat(document) AS documents, max(id) AS last
     FROM chunks NOT INDEXED WHERE words IS NOT NULL OR embedding IS NOT NULL`,
  )
  const ids = parseNumbers(lists?.ids ?? null)
  const owners = parseNumbers(lists?.documents ?? null)
  const allowed = new Uint8Array((lists?.last ?? 0) + 1)
  for (let at = 0; at < ids.length; at++) if (wanted.has(owners[at]!)) allowed[ids[at]!] = 1
  return speaker === '' ? allowed : saidBy(database, speaker, allowed)
}

/** Of these chunks the ones whose speaker has this name. */
const saidBy = (database: Database, speaker: string, allowed: Uint8Array): Uint8Array => {
  const said = new Uint8Array(allowed.length)
  const name = speaker.trim().toLowerCase()
  database.each<{ chunk: number; symbols: string }>(
    `SELECT chunk, symbols FROM texts WHERE symbols LIKE '%"speaker"%'`,
    ({ chunk, symbols }) => {
      if (allowed[chunk] !== 1) return
      const isSpeaker = ({ kind, name: other }: CodeSymbol) =>
        kind === 'speaker' && other.trim().toLowerCase() === name
      if (decodeSymbols(symbols, database.path).some(isSpeaker)) said[chunk] = 1
    },
  )
  return said
}

/** A commit is where any of the files is that it changes. */
const placeFilter = (languages: readonly string[], paths: readonly string[]) => {
  const allows = compileGlobs(paths)
  const speaks = (language: string) => languages.length === 0 || languages.includes(language)
  return ({ path, language, places, commit }: DocumentRow): boolean => {
    if (commit === null) return speaks(language) && allows(path)
    if (languages.length === 0 && paths.length === 0) return true
    return (JSON.parse(places ?? '[]') as string[]).some(place => allows(place) && speaks(languageOf(place)))
  }
}

/** Part of the name or of the address, whatever the case. */
const authorFilter = (author: string) => {
  const part = author.toLowerCase()
  return ({ commit }: DocumentRow): boolean => {
    if (part === '') return true
    if (commit === null) return false
    const { author: name, email } = JSON.parse(commit) as CommitFacts
    return `${name} <${email}>`.toLowerCase().includes(part)
  }
}
