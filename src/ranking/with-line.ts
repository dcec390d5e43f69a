/** A candidate after one more stage: its new score, and a line in its ledger that says why. */

import type { Candidate } from '../core/questions.js'

/** The words are made when somebody reads them: of a hundred candidates ten are shown, and few of those explained. */
export const withLine = (
  candidate: Candidate,
  stage: string,
  score: number,
  words: () => string,
): Candidate => ({
  ...candidate,
  score,
  ledger: [
    ...candidate.ledger,
    {
      stage,
      score,
      get why() {
        return words()
      },
    },
  ],
})
