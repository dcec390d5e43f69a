/** Real code and prose to try things on: what the dependencies of this package ship. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = new URL('../../../node_modules/', import.meta.url).pathname
const PACKAGES = [
  'typescript',
  'vitest',
  'zod',
  'fast-check',
  'commander',
  'onnxruntime-common',
  '@huggingface',
  '@types/node',
]
const KINDS = /\.(?:[cm]?[jt]sx?|md|json|html|ya?ml)$/

/** Pieces of about 1,200 characters, the same ones on every call, spread over many files. */
export async function realTexts(count: number): Promise<string[]> {
  const texts: string[] = []
  for (const name of PACKAGES) {
    const directory = join(ROOT, name)
    const entries = await readdir(directory, { recursive: true }).catch(() => [])
    const files = entries.filter(entry => KINDS.test(entry)).sort()
    const share = Math.ceil(count / PACKAGES.length)
    const perFile = Math.max(4, Math.ceil((4 * share) / Math.max(1, files.length)))
    const before = texts.length
    for (const file of files) {
      if (texts.length - before >= share) break
      const text = await readFile(join(directory, file), 'utf8').catch(() => '')
      for (let part = 0; part < perFile && part * 1_200 < text.length; part++)
        texts.push(text.slice(part * 1_200, (part + 1) * 1_200))
    }
  }
  return texts.slice(0, count)
}
