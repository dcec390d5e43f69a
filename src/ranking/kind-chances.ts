/** Made by `npm run bench -- balance` from code-search questions and issue titles. Do not edit by hand. */

import type { KindChances } from './balance-kinds.js'

export const KIND_CHANCES: KindChances = {
  past: {
    code: { base: -3, byScore: 2, byRank: -1 },
    hunk: { base: -2.5, byScore: 4, byRank: -1 },
    note: { base: -3, byScore: 2, byRank: -1 },
  },
  present: {
    code: { base: -2, byScore: 3, byRank: -1 },
    hunk: { base: -4, byScore: 4, byRank: -1 },
    note: { base: -3, byScore: 2, byRank: -1 },
  },
}
