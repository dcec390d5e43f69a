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

export const SCORING: Readonly<Record<ChunkKind, LaneScoring>> = { code, hunk: code, note: code }
