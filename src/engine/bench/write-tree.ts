/**
 * Brings a directory to the state of a commit. From one commit to the next only the files that differ are written, so that an
 * index of the directory has little to do again. Nothing is checked out in the repository itself.
 */

import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Repository } from '../../adapters/git/shadow.js'
import { compileGlob } from '../../text/glob.js'

export interface WantedTree {
  /** A whole id. */
  readonly commit: string
  /** Only below this directory; '' is everything. */
  readonly below?: string
  /** Globs of what is left out. */
  readonly without?: readonly string[]
}

const written = z.object({ of: z.string(), files: z.record(z.string(), z.string()) })

/** The largest file that is written; `index.maxFileBytes` decides what is read of them. */
const LARGEST_FILE = 8 << 20

/** Answers how many files the tree has. The repository is opened only if there is something to do. */
export const writeTree = async (
  root: string,
  { commit, below = '', without = [] }: WantedTree,
  open: () => Promise<Repository>,
  signal?: AbortSignal,
): Promise<number> => {
  // Beside the directory, not in it: whoever indexes the directory must not see it.
  const list = `${root}.tree`
  const of = JSON.stringify([commit, below, without])
  const before = await readList(list)
  if (before?.of === of) return Object.keys(before.files).length
  const { listTree, readEntries } = await import('../../adapters/git/read-tree.js')
  const repository = await open()
  const isLeftOut = without.map(compileGlob)
  const entries = (await listTree(repository, commit, below, signal)).filter(
    ({ path, size }) => size <= LARGEST_FILE && !isLeftOut.some(matches => matches(path)),
  )
  const files = new Map(entries.map(({ path, id }) => [path, id]))
  const known = new Map(Object.entries(before?.files ?? {}))
  // Without its list a directory counts as half written: a killed run starts from nothing next time.
  await rm(list, { force: true })
  if (before === null) await rm(root, { recursive: true, force: true })
  for (const path of known.keys()) if (!files.has(path)) await removeFile(root, path)
  const changed = entries.filter(({ path, id }) => known.get(path) !== id)
  for await (const { path, content } of readEntries(repository, changed, signal)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  await mkdir(root, { recursive: true })
  await writeFile(list, JSON.stringify({ of, files: Object.fromEntries(files) }))
  return files.size
}

const readList = async (file: string): Promise<z.infer<typeof written> | null> => {
  try {
    return written.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}

/** And the directories that it was the last file of. */
const removeFile = async (root: string, path: string): Promise<void> => {
  await rm(join(root, path), { force: true })
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    try {
      await rmdir(join(root, parent))
    } catch {
      return // something else lives there
    }
  }
}
