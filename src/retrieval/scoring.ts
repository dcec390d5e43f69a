/** How the text and the symbol lane count, for each kind of source. Measured: docs/ranking.md and docs/history.md. */

import type { TextScoring } from '../core/ports.js'
import type { ChunkKind } from '../core/types.js'

interface LaneScoring {
  readonly text: TextScoring
  readonly symbol: TextScoring
}

/** Names and paths are short by nature, so their length says less. */
const lengthCorrection = {
  ...{ body: 0.75, header: 0.5, path: 0.5, symbols: 0.5 },
  ...{ title: 0.5, tests: 0.75, removed: 0.75 },
} as const

/** Path and header name what a chunk is about. k1: of 0.8 to 2.5 the best on the code-search set. */
const code: LaneScoring = {
  text: { weights: { body: 1, header: 3, path: 6, symbols: 2 }, k1: 1.6, lengthCorrection },
  symbol: { weights: { symbols: 1 }, k1: 1.6, lengthCorrection },
}

/**
 * A commit is long and says things often: k1 and the correction for length are high. What its tests add names the case that a
 * report describes, and weighs more than the code itself.
 */
const commits = {
  k1: 5,
  lengthCorrection: {
    ...{ body: 0.9, header: 0.9, path: 0.5, symbols: 0.5 },
    ...{ title: 0.9, tests: 0.9, removed: 0.9 },
  },
} as const
const hunk: LaneScoring = {
  text: { ...commits, weights: { header: 5, title: 2, path: 1, symbols: 1, body: 0.5, tests: 2 } },
  symbol: { ...commits, weights: { symbols: 1 } },
}

export const SCORING: Readonly<Record<ChunkKind, LaneScoring>> = { code, hunk, note: code }
