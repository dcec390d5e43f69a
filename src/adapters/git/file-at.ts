/** A file as it was at a commit. Its size is asked before it is read: a gigabyte of zeros packs into a megabyte. */

import { isUtf8 } from 'node:buffer'
import { checkGitPath, checkId } from './git-path.js'
import { idPattern } from './refs.js'
import type { Repository } from './shadow.js'

const LARGEST_FILE = 8 << 20

export interface FileAtRevision {
  readonly text: string
  /** Of the bytes. */
  readonly blob: string
}

/** Null where there is no such file, or none that is text of a sensible size. `rev` is a full commit id. */
export const fileAt = async (
  repository: Repository,
  rev: string,
  path: string,
  options: { readonly maxBytes?: number; readonly signal?: AbortSignal } = {},
): Promise<FileAtRevision | null> => {
  const { maxBytes = LARGEST_FILE, signal } = options
  const abort = signal ? { signal } : {}
  const blob = await blobAt(repository, rev, path, abort)
  if (blob === null || blob.size > maxBytes) return null
  const bytes = await repository.run(['cat-file', 'blob', blob.id], { maxBytes: maxBytes + 1, ...abort })
  const text = decodeFile(bytes)
  return text === null ? null : { text, blob: blob.id }
}

/** Null for what is not text. */
export const decodeFile = (bytes: Buffer): string | null => {
  if (bytes.subarray(0, 8000).includes(0)) return null
  const text = isUtf8(bytes) ? bytes.toString('utf8') : new TextDecoder('windows-1252').decode(bytes)
  return text.replaceAll('\0', '\ufffd')
}

/** Null where the path is no file at that commit, or the object is not there. */
export const blobAt = async (
  repository: Repository,
  rev: string,
  path: string,
  abort: { readonly signal?: AbortSignal } = {},
): Promise<{ readonly id: string; readonly size: number } | null> => {
  const commit = checkId(rev, idPattern(repository.facts.objectFormat))
  const output = await repository.run(
    ['ls-tree', '-z', '-l', '--full-tree', '--end-of-options', commit, '--', checkGitPath(path)],
    abort,
  )
  const [, id, size] = /^(?:100\d{3}|120000) blob ([0-9a-f]+) +(\d+)\t/.exec(output.toString('latin1')) ?? []
  return id === undefined ? null : { id, size: Number(size) }
}
