/**
 * Tells from a name whether a file or directory is worth a look. Asked for every entry of a work tree and for every file that
 * a commit changes, hence maps.
 */

import type { SkipReason } from '../core/types.js'
import { DIRECTORY_TABLES, ENVIRONMENT_FILE, ENVIRONMENT_SAMPLE, FILE_TABLES } from './skip-tables.js'

export interface NameRefusal {
  readonly reason: SkipReason
  readonly detail: string
}

const words = (list: string | undefined): string[] => list?.split(/\s+/).filter(word => word !== '') ?? []

const fileNames = new Map<string, NameRefusal>()
const extensions = new Map<string, NameRefusal>()
/** By the last extension, so that most names are compared with none of them. */
const endings = new Map<string, { readonly ending: string; readonly refusal: NameRefusal }[]>()
const directoryNames = new Map<string, NameRefusal>()

for (const { reason, detail, names, ...table } of FILE_TABLES) {
  const refusal = { reason, detail }
  for (const name of words(names)) fileNames.set(name, refusal)
  for (const extension of words(table.extensions)) extensions.set(extension, refusal)
  for (const ending of words(table.endings)) {
    const extension = ending.slice(ending.lastIndexOf('.') + 1)
    endings.set(extension, [...(endings.get(extension) ?? []), { ending, refusal }])
  }
}
for (const { reason, detail, names } of DIRECTORY_TABLES)
  for (const name of words(names)) directoryNames.set(name, { reason, detail })

const SECRET: NameRefusal = { reason: 'secret', detail: 'environment file' }

export const skipFileByName = (name: string): NameRefusal | undefined => {
  const lower = name.toLowerCase()
  const dot = lower.lastIndexOf('.')
  if (dot >= 0) {
    const extension = lower.slice(dot + 1)
    const byExtension = extensions.get(extension)
    if (byExtension) return byExtension
    const candidates = endings.get(extension)
    if (candidates) for (const { ending, refusal } of candidates) if (lower.endsWith(ending)) return refusal
  }
  if (lower.startsWith('.env') && ENVIRONMENT_FILE.test(lower) && !ENVIRONMENT_SAMPLE.test(lower))
    return SECRET
  return fileNames.get(lower)
}

export const skipDirectoryByName = (name: string): NameRefusal | undefined => directoryNames.get(name)

/** The same for a whole path, as history has it: what a directory on the way is refused for, or the file itself. */
export const skipPathByName = (path: string): NameRefusal | undefined => {
  let start = 0
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', start)) {
    const refusal = directoryNames.get(path.slice(start, slash))
    if (refusal) return refusal
    start = slash + 1
  }
  return skipFileByName(path.slice(start))
}
