/** What is said beside the data: warnings with their hints, and what an answer was made from. */

import type { Answer, IndexState, Warning } from '../core/answers.js'
import { isFromHistory } from './commit-text.js'
import type { Paint } from './paint.js'
import { sanitiseLine } from './sanitise.js'

/** `10 hits · 5,213 chunks · vectors 62 % embedded` */
export const closingLine = ({ hits, index, warnings }: Answer): string => {
  // The engine knows which embedder it misses even when the index holds nothing of it yet.
  const partial = warnings.some(isAboutModel) ? 'vectors not used' : leastEmbedded(warnings)
  const isHistory = hits.length > 0 && hits.every(isFromHistory)
  const searched = isHistory ? counted(index.documents, 'commit') : counted(index.chunks, 'chunk')
  // Of what was not asked nobody has looked which vectors are missing.
  const isAsked = index.chunks > 0 && !warnings.some(({ code }) => code === 'EMPTY_QUESTION')
  const vectors = isAsked ? [partial ?? vectorState(index)] : []
  return [counted(hits.length, 'hit'), searched, ...vectors].join(' · ')
}

/** Which words of the question narrow the answer: nothing is left out behind the reader's back. */
export const understoodText = ({ understood = [] }: Answer, paint: Paint): string =>
  understood.map(said => `${paint.faint('understood:')} ${sanitiseLine(said)}\n`).join('')

/** What was searched for beside the question, and who said so. */
export const expansionText = ({ expansion }: Answer, paint: Paint): string => {
  if (expansion === undefined) return ''
  const { expander, variations, cached, tokens, milliseconds } = expansion
  const said = variations.map(({ strategy, text }) => `${strategy} “${text}”`).join(' · ') || 'nothing to add'
  const spent = tokens === null ? '' : `, ${grouped(tokens.prompt + tokens.completion)} tokens`
  const cost = cached ? 'from the cache' : `${milliseconds} ms${spent}`
  return `${paint.faint('also asked:')} ${sanitiseLine(`${said} (${expander}, ${cost})`)}\n`
}

/** Of several indexes the one that has fewest. */
const leastEmbedded = (warnings: readonly Warning[]): string | undefined =>
  warnings
    .filter(isAboutVectors)
    .map(({ message }) => message.replace(':', ''))
    .sort((a, b) => Number(/\d+/.exec(a)) - Number(/\d+/.exec(b)))[0]

const isAboutModel = ({ code }: Warning): boolean => code === 'MODEL_MISSING' || code === 'MODEL_DAMAGED'

/** What the closing line says already. */
export const isAboutVectors = ({ code }: Warning): boolean => code === 'VECTORS_PARTIAL'

/** Without that warning: of a model that is no longer used the index may still hold a part. */
const vectorState = ({ vectors }: IndexState): string =>
  Object.keys(vectors).length === 0 ? 'no vectors' : 'vectors complete'

export const warningText = (warnings: readonly Warning[], paint: Paint): string =>
  warnings
    .map(({ message, hint }) => {
      const said = `${paint.warning('warning:')} ${sanitiseLine(message)}\n`
      return hint === undefined ? said : `${said}${paint.faint('   hint:')} ${sanitiseLine(hint)}\n`
    })
    .join('')

/** `1 hit`, `5,213 chunks`. */
export const counted = (count: number, noun: string): string =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`

/** Not `toLocaleString`: the host's language must not change what tests and scripts read. */
export const grouped = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',')
