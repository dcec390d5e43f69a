/**
 * The last step of the build: joins the files that the command line loads. Node takes half a millisecond and more to find and
 * open a file, and one search would load two hundred of them. `dist/cli/main.js` becomes the start of the bundle, `dist/bundle/`
 * holds the rest; every other file stays as the compiler wrote it, for programs that import the library and for threads.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

/** Small, needed by every command, and slow to find where npm puts them. All other packages stay where they are. */
const JOINED_PACKAGES = ['commander', 'ignore']

/** `root` is the directory of the package. */
export const bundleCli = async (root: string): Promise<void> => {
  const dist = join(root, 'dist')
  const entry = join(dist, 'cli/start.js')
  /** By module: those it imports before it runs. */
  const imports = new Map<string, readonly string[]>()
  const bundle = await rolldown({
    input: { main: entry },
    platform: 'node',
    external: id => isPackage(id) && !JOINED_PACKAGES.includes(id),
    preserveEntrySignatures: 'allow-extension',
    plugins: [compiled(dist, imports)],
  })
  /** All commands need the first piece. A server greets before it needs what searches, so what both need lies apart. */
  const pieces = once(() => ({
    start: loadedWith([entry], imports),
    search: loadedWith([join(dist, 'cli/commands/search.js'), join(dist, 'index.js')], imports),
    agents: loadedWith([join(dist, 'cli/commands/serve.js'), join(dist, 'mcp/desk.js')], imports),
  }))
  const pieceOf = (id: string): string | null => {
    const { start, search, agents } = pieces()
    // The start waits for the command, and the command for what it imports: that must not be the start.
    if (id === entry) return null
    if (start.has(id)) return 'start'
    return search.has(id) ? (agents.has(id) ? 'shared' : 'search') : null
  }
  const { output } = await bundle.generate({
    dir: dist,
    format: 'esm',
    banner: chunk => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
    entryFileNames: 'cli/[name].js',
    chunkFileNames: 'bundle/[name]-[hash].js',
    sourcemap: true,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: pieceOf, debugName: 'pieces' }],
    },
  })
  await bundle.close()

  const directory = join(dist, 'bundle')
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory)
  for (const file of output)
    writeFileSync(join(dist, file.fileName), file.type === 'chunk' ? file.code : file.source)
  writeFileSync(join(directory, 'LICENSES.txt'), JOINED_PACKAGES.map(licenceOf).join('\n'))
}

/**
 * Reads what the compiler wrote, with its map. A file finds its neighbours by its own address, so each keeps the one it had;
 * both directories of the bundle are equally deep, and one spelling is right in both.
 */
const compiled = (dist: string, imports: Map<string, readonly string[]>): Plugin => ({
  name: 'compiled',
  load(id) {
    if (!id.startsWith(dist + sep)) return null
    const address = JSON.stringify(`../${relative(dist, id).replaceAll(sep, '/')}`)
    const code = readFileSync(id, 'utf8').replaceAll(
      'import.meta.url',
      `new URL(${address}, import.meta.url).href`,
    )
    return { code, map: JSON.parse(readFileSync(`${id}.map`, 'utf8')) }
  },
  moduleParsed: ({ id, importedIds }) => {
    imports.set(id, importedIds)
  },
})

/** All that is loaded together with `entries`. */
const loadedWith = (
  entries: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> => {
  const found = new Set(entries)
  for (const id of found) for (const imported of imports.get(id) ?? []) found.add(imported)
  return found
}

const isPackage = (id: string): boolean => !/^(?:[./]|[A-Za-z]:[\\/])/.test(id)

/** Whoever hands a package on hands on its licence. */
const licenceOf = (name: string): string => {
  const home = dirname(createRequire(import.meta.url).resolve(name))
  const file = readdirSync(home).find(found => /^licen[cs]e/i.test(found))
  if (file === undefined) throw new Error(`${name} has no licence in ${home}`)
  return `${name}\n\n${readFileSync(join(home, file), 'utf8')}`
}

const once = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await bundleCli(dirname(dirname(dirname(process.argv[1]))))
