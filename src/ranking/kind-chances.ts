/** Made by `npm run bench -- balance` from code-search questions and issue titles. Do not edit by hand. */

import type { KindChances } from './balance-kinds.js'

export const KIND_CHANCES: KindChances = {
  trouble: {
    code: { base: -0.38, byScore: -0.25, byRank: -1.57 },
    hunk: { base: -1.47, byScore: 0.62, byRank: -1.59 },
    note: { base: -1.47, byScore: 0.62, byRank: -1.59 },
  },
  present: {
    code: { base: 3.78, byScore: -3.43, byRank: -2.46 },
    hunk: { base: -1.51, byScore: -1.12, byRank: -1.65 },
    note: { base: -1.51, byScore: -1.12, byRank: -1.65 },
  },
}
