/** Which questions are asked: all, or a sample that is the same in every run and on every machine. */

import { seededDraw } from './metrics/random.js'

export const chooseQuestions = (
  questions: readonly { readonly id: string; readonly text: string }[],
  limit: number | undefined,
  /** With recorded rewrites only these can be asked, or rows would not be about the same questions. */
  isAskable: (text: string) => boolean = () => true,
): ReadonlySet<string> => {
  const ids = questions.filter(({ text }) => isAskable(text)).map(({ id }) => id)
  const wanted = Math.min(limit ?? ids.length, ids.length)
  const draw = seededDraw(1)
  for (let place = 0; place < wanted; place++) {
    const other = place + draw(ids.length - place)
    ;[ids[place], ids[other]] = [ids[other]!, ids[place]!]
  }
  return new Set(ids.slice(0, wanted))
}
