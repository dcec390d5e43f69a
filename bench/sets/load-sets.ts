/** The evaluation sets by name. */

import { loadCodeSearch } from './code-search.js'
import { loadCodescout } from './codescout.js'
import { loadCosqa, loadScifact } from './documents.js'
import { loadIssues } from './issues.js'
import type { Places } from './places.js'
import type { BenchSet } from './shape.js'
import { loadWords } from './words.js'

const LOADERS: Readonly<Record<string, (places: Places, scratch: string) => Promise<BenchSet>>> = {
  'code-search': loadCodeSearch,
  cosqa: loadCosqa,
  'scifact-train': places => loadScifact(places, 'train'),
  'scifact-test': places => loadScifact(places, 'test'),
  issues: loadIssues,
  codescout: loadCodescout,
  words: loadWords,
}

export const SET_NAMES = Object.keys(LOADERS)

export const loadSets = async (
  names: readonly string[],
  places: Places,
  scratch: string,
): Promise<BenchSet[]> => {
  const sets: BenchSet[] = []
  for (const name of names) {
    const load = LOADERS[name]
    if (load === undefined) throw new Error(`There is no set ${name}; there are ${SET_NAMES.join(', ')}`)
    sets.push(await load(places, scratch))
  }
  return sets
}
