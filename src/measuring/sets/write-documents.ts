/** Documents as files of a directory that Quarry can index. Written once; whole or not at all. */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Material } from './shape.js'

export const writeDocuments = async (
  directory: string,
  { hash, files }: Extract<Material, { kind: 'documents' }>,
): Promise<void> => {
  // Beside the directory, not in it: whoever indexes the directory must not see it.
  const mark = `${directory}.hash`
  if ((await readFile(mark, 'utf8').catch(() => null)) === hash) return
  await rm(mark, { force: true })
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  for (const { path, text } of files) await writeFile(join(directory, path), text)
  await writeFile(mark, hash)
}
