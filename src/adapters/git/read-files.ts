/** Several files as they were at several commits, by one process; by two where one of the files is too large to be read. */

import { QuarryError } from '../../core/errors.js'
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
  readonly signal?: AbortSignal
}

/** In order; null where there is no such file, or none that is text of a sensible size. */
export const readFiles = async (
  repository: Repository,
  places: readonly FilePlace[],
  { maxBytes, signal }: ReadFilesOptions,
): Promise<(FileAtRevision | null)[]> => {
  const isId = idPattern(repository.facts.objectFormat)
  const queries = places.map(({ commit, before, path }) =>
    // Git reads one question a line, and a path that begins with dots as seen from where it runs.
    /^\.\.?\/|[\n\0]/.test(path) ? '' : `${checkId(commit, isId)}${before ? '^' : ''}:${path}`,
  )
  const asked = [...new Set(queries.filter(query => query !== ''))]
  if (asked.length === 0) return places.map(() => null)
  const files = await readAll(repository, asked, maxBytes, signal)
  return queries.map(query => files.get(query) ?? null)
}

/** A process costs more than all that it reads; only when they do not fit are the sizes asked for first. */
const readAll = async (
  repository: Repository,
  queries: readonly string[],
  maxBytes: number,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, FileAtRevision>> => {
  const read = async (some: readonly string[]) => {
    const output = await repository.run(['cat-file', '--batch'], {
      input: `${some.join('\n')}\n`,
      maxBytes: some.length * (maxBytes + 100 + LONGEST_ANSWER),
      ...(signal ? { signal } : {}),
    })
    return filesIn(output, some, maxBytes)
  }
  try {
    return await read(queries)
  } catch (error) {
    if (!(error instanceof QuarryError) || signal?.aborted) throw error
    const answers = await checkObjects(repository, queries, signal)
    const small = queries.filter(
      (_, index) => answers[index]!.kind === 'blob' && answers[index]!.size <= maxBytes,
    )
    return small.length === 0 ? new Map() : await read(small)
  }
}

/** `<question> missing` repeats a path. */
const LONGEST_ANSWER = 4_096

/** One answer for each question, in order: `<id> <kind> <size>` and the content, or a line that says why there is none. */
const filesIn = (
  output: Buffer,
  queries: readonly string[],
  maxBytes: number,
): ReadonlyMap<string, FileAtRevision> => {
  const files = new Map<string, FileAtRevision>()
  let at = 0
  for (const query of queries) {
    const end = output.indexOf(10, at)
    if (end < 0) break
    const [, blob, kind, size] =
      /^([0-9a-f]+) (commit|tree|blob|tag) (\d+)$/.exec(output.toString('latin1', at, end)) ?? []
    at = end + 1
    if (blob === undefined) continue
    const bytes = Number(size)
    const text = kind === 'blob' && bytes <= maxBytes ? decodeFile(output.subarray(at, at + bytes)) : null
    if (text !== null) files.set(query, { blob, text })
    at += bytes + 1
  }
  return files
}
