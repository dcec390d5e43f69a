/** The driver cuts strings off at a NUL on their way in and out: texts that hold one are written in another form. */

const ESCAPE = '\u0010'

export const escapeNul = (text: string): string =>
  /[\u0000\u0010]/.test(text)
    ? text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll('\u0000', `${ESCAPE}0`)
    : text

export const unescapeNul = (text: string): string =>
  text.includes(ESCAPE) ? text.replaceAll(`${ESCAPE}0`, '\u0000').replaceAll(`${ESCAPE}1`, ESCAPE) : text
