/**
 * Part of the build: copies the grammars that the chunker needs out of the development packages into `assets/grammars/`,
 * from where the package ships them.
 */

import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const BUNDLE = 'tree-sitter-wasms'
const BUNDLED =
  'bash c c_sharp cpp elixir go java javascript kotlin lua php python ruby rust scala swift tsx typescript zig'

/** Packages that bring one grammar, newer than the bundle's or missing there. */
const PACKAGES: Readonly<Record<string, string>> = { haskell: 'tree-sitter-haskell' }

const resolve = createRequire(import.meta.url).resolve
const directoryOf = (name: string): string => dirname(resolve(`${name}/package.json`))

const sources = [
  ...BUNDLED.split(' ').map(grammar => [
    grammar,
    join(directoryOf(BUNDLE), 'out', `tree-sitter-${grammar}.wasm`),
  ]),
  ...Object.entries(PACKAGES).map(([grammar, name]) => [
    grammar,
    join(directoryOf(name), `tree-sitter-${grammar}.wasm`),
  ]),
] as const

const target = fileURLToPath(new URL('../../assets/grammars/', import.meta.url))
await mkdir(target, { recursive: true })
const wanted = new Set(sources.map(([grammar]) => `${grammar}.wasm`))
for (const file of await readdir(target))
  if (!wanted.has(file)) await rm(join(target, file), { recursive: true })
for (const [grammar, file] of sources) await copyFile(file!, join(target, `${grammar}.wasm`))
