/** The import law of the house: walls that only prose draws fall down. */

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const source = fileURLToPath(new URL('../../src', import.meta.url))

/** Room → rooms it may import. `door` is the public API in `index.ts`. */
const LAW: Record<string, readonly string[]> = {
  core: [],
  text: ['core'],
  ranking: ['core', 'text'],
  indexing: ['core', 'text'],
  retrieval: ['core', 'text', 'ranking'],
  present: ['core', 'text'],
  config: ['core'],
  testing: ['core'],
  measuring: ['core', 'text'],
  adapters: ['core', 'text'],
  engine: ['core', 'text', 'ranking', 'indexing', 'retrieval', 'present', 'config', 'measuring', 'adapters'],
  door: ['core', 'engine'],
  mcp: ['door', 'present', 'config', 'core', 'text'],
  // A door of its own that `quarry mcp` opens.
  cli: ['door', 'present', 'config', 'core', 'text', 'mcp'],
}
/** Models, their runtime and what runs on it are one family of adapters, what is kept in SQLite another; every other adapter stands alone. */
const FAMILIES = [
  new Set(['models', 'onnx', 'embedders', 'rerankers']),
  new Set(['sqlite', 'stores', 'notebook']),
]
/** Rooms that may use no library at all, not even Node's. */
const BARE = new Set(['core', 'text', 'ranking'])

interface Import {
  readonly file: string
  readonly target: string
}

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory()
      ? filesBelow(join(directory, entry.name))
      : entry.name.endsWith('.ts')
        ? [join(directory, entry.name)]
        : [],
  )

const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(match => match[1]!)

const roomOf = (path: string): string => {
  const [room = ''] = relative(source, path).split('/')
  return room === 'index.ts' ? 'door' : room
}

const adapterOf = (path: string): string => relative(join(source, 'adapters'), path).split('/')[0]!

const faultOf = ({ file, target }: Import): string | null => {
  const from = roomOf(file)
  const name = relative(source, file)
  if (!target.startsWith('.')) return BARE.has(from) ? `${name} uses ${target}: ${from}/ is bare` : null
  const path = resolve(dirname(file), target)
  const to = roomOf(path.replace(/\.js$/, '.ts'))
  if (LAW[from] === undefined) return `${name} stands in no room of the house`
  if (from === to && from !== 'adapters') return null
  if (from === 'adapters' && to === 'adapters') {
    const [mine, other] = [adapterOf(file), adapterOf(path)]
    const family = FAMILIES.some(members => members.has(mine) && members.has(other))
    return mine === other || family ? null : `${name} imports another adapter: ${target}`
  }
  return LAW[from].includes(to) ? null : `${name} (${from}) may not import ${target} (${to})`
}

describe('the house', () => {
  it('keeps its import law', () => {
    const imports = filesBelow(source).flatMap(file =>
      importsOf(readFileSync(file, 'utf8')).map(target => ({ file, target })),
    )
    expect(imports.length).toBeGreaterThan(50)
    expect(imports.map(faultOf).filter(fault => fault !== null)).toEqual([])
  })

  it.each([
    ['core/types.ts', 'node:fs'],
    ['core/types.ts', '../ranking/fuse.js'],
    ['ranking/fuse.ts', '../retrieval/query.js'],
    ['retrieval/query.ts', '../adapters/stores/sqlite/index.js'],
    ['adapters/stores/sqlite/index.ts', '../../chunkers/tree-sitter/index.js'],
    ['cli/main.ts', '../engine/open.js'],
    ['mcp/root.ts', '../engine/open.js'],
    ['mcp/root.ts', '../cli/background.js'],
    ['present/text.ts', '../config/load.js'],
    ['measuring/rows.ts', '../engine/open.js'],
    ['cli/commands/bench.ts', '../../measuring/rows.js'],
    ['utils/misc.ts', '../core/types.js'],
  ])('would notice %s importing %s', (file, target) => {
    expect(faultOf({ file: join(source, file), target })).not.toBeNull()
  })
})
