/** Several files as they were at several commits, by two processes in all: one asks for their sizes, one reads them. */

import { decodeFile, type FileAtRevision } from './file-at.js'
import { checkId } from './git-path.js'
import { idPattern } from './refs.js'
import { checkObjects } from './revision.js'
import type { Repository } from './shadow.js'

export interface FilePlace {
  /** A full commit id. */
  readonly commit: string
  /** As it was before that commit, in its first parent. */
  readonly before: boolean
  /** From the top of the repository. */
  readonly path: string
}

export interface ReadFilesOptions {
  readonly maxBytes: number
  /** Of which places the file with this id need not be read: its text comes as nothing. */
  readonly isKnown: (blob: string, place: number) => boolean
  readonly signal?: AbortSignal
}

/** In order; null where there is no such file, or none that is text of a sensible size. */
export const readFiles = async (
  repository: Repository,
  places: readonly FilePlace[],
  { maxBytes, isKnown, signal }: ReadFilesOptions,
): Promise<(FileAtRevision | null)[]> => {
  const isId = idPattern(repository.facts.objectFormat)
  const queries = places.map(({ commit, before, path }) =>
    // Git reads one question a line, and a path that begins with dots as seen from where it runs.
    /^\.\.?\/|[\n\0]/.test(path) ? '' : `${checkId(commit, isId)}${before ? '^' : ''}:${path}`,
  )
  const asked = [...new Set(queries.filter(query => query !== ''))]
  const answers = await checkObjects(repository, asked, signal)
  const blobOf = new Map(
    answers.flatMap(({ id, kind, size }, index) =>
      kind === 'blob' && size <= maxBytes ? [[asked[index]!, id] as const] : [],
    ),
  )
  const found = queries.map((query, place) => {
    const blob = blobOf.get(query)
    return blob === undefined ? null : { blob, isKnown: isKnown(blob, place) }
  })
  const wanted = new Set(found.flatMap(file => (file === null || file.isKnown ? [] : [file.blob])))
  const texts = await readBlobs(repository, [...wanted], maxBytes, signal)
  return found.map(file => {
    const text = file?.isKnown ? '' : texts.get(file?.blob ?? '')
    return file === null || text === undefined ? null : { blob: file.blob, text }
  })
}

const readBlobs = async (
  repository: Repository,
  blobs: readonly string[],
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Map<string, string>> => {
  const texts = new Map<string, string>()
  if (blobs.length === 0) return texts
  const output = await repository.run(['cat-file', '--batch'], {
    input: `${blobs.join('\n')}\n`,
    maxBytes: blobs.length * (maxBytes + 100),
    ...(signal ? { signal } : {}),
  })
  let at = 0
  while (at < output.length) {
    const end = output.indexOf(10, at)
    if (end < 0) break
    const [id = '', kind, size] = output.toString('latin1', at, end).split(' ')
    at = end + 1
    // `<id> missing` has nothing behind it.
    if (kind !== 'blob') continue
    const text = decodeFile(output.subarray(at, at + Number(size)))
    if (text !== null) texts.set(id, text)
    at += Number(size) + 1
  }
  return texts
}
