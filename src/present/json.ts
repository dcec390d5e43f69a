/** An answer as programs read it. The text is raw but for secrets, and lone surrogates, which no strict parser takes. */

import type { Answer, Expansion, Hit } from '../core/answers.js'
import { withoutSecrets } from './without-secrets.js'

/** The whole answer as one indented object. */
export const answerJson = (answer: Answer): string => `${encode(answerShape(withoutSecrets(answer)), 2)}\n`

/** The whole answer on one line; `id` comes first when the asker gave one. */
export const answerLine = (answer: Answer, id?: string | number): string =>
  `${encode({ ...(id === undefined ? {} : { id }), ...answerShape(withoutSecrets(answer)) })}\n`

/** One hit a line. */
export const hitLines = (answer: Answer): string =>
  withoutSecrets(answer)
    .hits.map(hit => `${encode(hitShape(hit))}\n`)
    .join('')

/** Any value as JSON whose strings are well formed; what cannot be seen, or a terminal would obey, is spelled by its code. */
export const encode = (value: unknown, indent?: number): string =>
  JSON.stringify(
    value,
    (_, part) => (typeof part === 'string' ? part.toWellFormed() : part),
    indent,
  )?.replace(HIDDEN, escaped)

/** JSON itself spells the controls below the blank only. */
const HIDDEN = /[\u007f-\u009f\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\uFFF9-\uFFFB]/gu

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit))
    .map(code => `\\u${code.toString(16).padStart(4, '0')}`)
    .join('')

/** Spelled out so that the order of the keys is a promise and nothing else slips in. */
const answerShape = ({ query, understood, expansion, hits, warnings, index }: Answer) => ({
  query,
  ...(understood === undefined ? {} : { understood }),
  ...(expansion === undefined ? {} : { expansion: expansionShape(expansion) }),
  hits: hits.map(hitShape),
  warnings,
  index,
})

const expansionShape = ({ expander, variations, cached, tokens, milliseconds }: Expansion) => ({
  expander,
  variations: variations.map(({ strategy, text }) => ({ strategy, text })),
  ...{ cached, tokens, milliseconds },
})

const hitShape = (hit: Hit) => {
  const { id, kind, path, startLine, endLine, symbol, language, score, text, explain } = hit
  return {
    ...{ id, kind, path, startLine, endLine, symbol, language, score },
    ...(hit.commit === undefined ? {} : commitShape(hit)),
    text,
    ...(hit.note === undefined ? {} : noteShape(hit)),
    ...(explain === undefined ? {} : { explain }),
  }
}

const noteShape = ({ note, neighbours }: Hit) => {
  const { form, session, turn, id, speaker, time, tags, origin } = note!
  return {
    note: {
      form,
      ...(session === undefined ? {} : { session, turn }),
      ...(id === undefined ? {} : { id }),
      ...(speaker === undefined ? {} : { speaker }),
      ...{ time, tags },
      ...(origin === undefined ? {} : { origin }),
    },
    ...(neighbours === undefined ? {} : { neighbours }),
  }
}

const commitShape = (hit: Hit) => {
  const {
    commit,
    author,
    email,
    date,
    committed,
    message,
    change,
    oldPath,
    hunks,
    symbols,
    symbolProvenance,
  } = hit
  return {
    ...{ commit, author, email, date, committed, message, change },
    ...(oldPath === undefined ? {} : { oldPath }),
    ...{ hunks, symbols, symbolProvenance, related: hit.related ?? [] },
  }
}
