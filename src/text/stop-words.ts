/** Words that carry the grammar of a question rather than its subject. They weigh little; they are never thrown away. */

import { stem } from './stem.js'

const WORDS = `
a about above after again all also am an and another any are as at be because been before being below between both but by
can could did do does doing done down during each either else ever every few for from further get gets had has have having
he her here hers him his how i if in into is it its itself just me more most my no nor not now of off on once one only or
other our out over own please same she should so some such than that the their them then there these they thing things this
those through to too under until up use used uses using very via want was way we were what when where which while who whom
whose why will with within without would you your
code file files function functions implementation implement implemented implements work works working
`

const stopWords = new Set(
  WORDS.trim()
    .split(/\s+/)
    .flatMap(word => [word, stem(word)]),
)

export const isStopWord = (token: string): boolean => stopWords.has(token)
