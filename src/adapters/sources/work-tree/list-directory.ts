/** The entries of one directory, with names exactly as they are on disk. */

import { isUtf8 } from 'node:buffer'
import { readdirSync } from 'node:fs'
import { type Refusal, refusalOf } from './read-bytes.js'

export interface Entry {
  readonly name: string
  isDirectory(): boolean
  isFile(): boolean
  isSymbolicLink(): boolean
}

export interface Listing {
  readonly entries: readonly Entry[]
  /** Names that are no text, with their bytes as `\xNN`: a path must lead back to its file, and these could not. */
  readonly unnameable: readonly string[]
}

/** `path` is absolute. */
export const listDirectory = (path: string): Listing | Refusal => {
  try {
    const entries: readonly Entry[] = readdirSync(path, { withFileTypes: true })
    // Node puts U+FFFD for bytes it cannot read; a name may also hold that character rightfully.
    if (!entries.some(({ name }) => name.includes('\uFFFD'))) return { entries, unnameable: [] }
    return listBytes(path)
  } catch (error) {
    return refusalOf(error)
  }
}

const listBytes = (path: string): Listing => {
  const entries: Entry[] = []
  const unnameable: string[] = []
  for (const raw of readdirSync(path, { withFileTypes: true, encoding: 'buffer' })) {
    if (!isUtf8(raw.name)) unnameable.push(spelled(raw.name))
    else
      entries.push({
        name: raw.name.toString('utf8'),
        isDirectory: () => raw.isDirectory(),
        isFile: () => raw.isFile(),
        isSymbolicLink: () => raw.isSymbolicLink(),
      })
  }
  return { entries, unnameable }
}

const spelled = (name: Buffer): string =>
  name
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, character => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
