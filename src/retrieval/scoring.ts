/** How the text and the symbol lane count, for each kind of source. Measured: docs/ranking.md and docs/history.md. */

import type { TextScoring } from '../core/ports.js'
import type { ChangedLines } from '../core/questions.js'
import type { ChunkKind } from '../core/types.js'

interface LaneScoring {
  readonly text: TextScoring
  readonly symbol: TextScoring
}

/** Names and paths are short by nature, so their length says less. */
const lengthCorrection = {
  ...{ body: 0.75, header: 0.5, path: 0.5, symbols: 0.5 },
  ...{ title: 0.5, tests: 0.75, removed: 0.75, notes: 0.75 },
} as const

/** Path and header name what a chunk is about. k1: of 0.8 to 2.5 the best on the code-search set. */
const code: LaneScoring = {
  text: { weights: { body: 1, header: 3, path: 6, symbols: 2 }, k1: 1.6, lengthCorrection },
  symbol: { weights: { symbols: 1 }, k1: 1.6, lengthCorrection },
}

/**
 * A commit is long and says things often: k1 and the correction for length are high. What it adds to tests and changelogs names
 * the case that a report describes, and weighs more than the code itself. Lengths are held against fixed ones: the average of
 * a repository is bent by a few huge commits.
 */
const commits = {
  k1: 5,
  lengthCorrection: {
    ...{ body: 0.95, header: 0.95, path: 0.5, symbols: 0.5 },
    ...{ title: 0.95, tests: 0.95, removed: 0.95, notes: 0.95 },
  },
  usualLength: {
    ...{ body: 100, header: 10, path: 10, symbols: 10 },
    ...{ title: 8, tests: 100, removed: 100, notes: 50 },
  },
} as const
const hunk: LaneScoring = {
  text: {
    ...commits,
    weights: {
      ...{ header: 5, title: 1, path: 1, symbols: 2 },
      ...{ body: 0.4, tests: 2, notes: 2, removed: 0.2 },
    },
  },
  symbol: { ...commits, weights: { symbols: 1, path: 1 } },
}

/**
 * A turn with the turns around it, and more so with the question it answers (bench/results/notes.jsonl). A turn is short and its
 * length says little.
 */
const note: LaneScoring = {
  text: {
    weights: { body: 1, title: 0.5, notes: 0.3, header: 0.5, path: 1, symbols: 0.3 },
    k1: 1.2,
    lengthCorrection: { ...lengthCorrection, title: 0.75 },
  },
  symbol: { weights: { symbols: 1 }, k1: 1.2, lengthCorrection },
}

/** Lines that were added, wherever, or removed. */
export const LINE_SCORING: Readonly<Record<ChangedLines, TextScoring>> = {
  added: { ...commits, weights: { body: 1, tests: 1, notes: 1 } },
  removed: { ...commits, weights: { removed: 1 } },
}

export const SCORING: Readonly<Record<ChunkKind, LaneScoring>> = { code, hunk, note }
