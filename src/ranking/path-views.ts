/**
 * What the paths of a pool say: their words, what kind of file each is, and how rare the words of a file's name are among the
 * others. Read by the features of the learned ranker.
 */

import { remembering } from '../text/remembering.js'
import { tokenise } from '../text/tokenise.js'
import { type FileKinds, fileKinds, platformIn } from './file-kinds.js'

/** What a path says by itself. */
interface PathFacts {
  readonly all: ReadonlySet<string>
  readonly stem: ReadonlySet<string>
  readonly parent: ReadonlySet<string>
  readonly bareStem: string
  readonly depth: number
  readonly kinds: FileKinds
  readonly platformToken: string
  readonly version: number | null
}

export interface PathView extends PathFacts {
  /** Share of the stem that the question says, each token weighed by how rare it is among the paths of the pool. */
  rareShare(weights: ReadonlyMap<string, number>): number
}

export const viewPaths = (paths: Iterable<string>): Map<string, PathView> => {
  const facts = new Map<string, PathFacts>()
  for (const path of paths) if (!facts.has(path)) facts.set(path, factsOf(path))
  const counts = new Map<string, number>()
  for (const { stem } of facts.values())
    for (const token of stem) counts.set(token, (counts.get(token) ?? 0) + 1)
  const rarity = (token: string) => Math.log(1 + facts.size / (counts.get(token) ?? 1))
  const views = new Map<string, PathView>()
  for (const [path, fact] of facts) {
    const rareShare: PathView['rareShare'] = weights => shareOfRare(fact.stem, weights, rarity)
    views.set(path, { ...fact, rareShare })
  }
  return views
}

export const newestVersion = (paths: ReadonlyMap<string, PathView>): number =>
  Math.max(0, ...[...paths.values()].map(({ version }) => version ?? 0))

const shareOfRare = (
  stem: ReadonlySet<string>,
  weights: ReadonlyMap<string, number>,
  rarity: (token: string) => number,
): number => {
  let said = 0
  let all = 0
  for (const token of stem) {
    all += rarity(token)
    if (weights.has(token)) said += rarity(token)
  }
  return all === 0 ? 0 : said / all
}

const bareStemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')

/** The same files come up in question after question. */
const factsOf = remembering(20_000, (path): PathFacts => {
  const parts = path.split('/')
  const version = path.match(/(?:^|\/)v(\d+)(?:\/|\.)/)
  return {
    all: new Set(tokenise(path)),
    stem: new Set(tokenise(bareStemOf(path))),
    parent: new Set(tokenise(parts.at(-2) ?? '')),
    bareStem: bareStemOf(path).toLowerCase(),
    depth: parts.length - 1,
    kinds: fileKinds(path),
    platformToken: platformIn(path),
    version: version ? Number(version[1]) : null,
  }
})
