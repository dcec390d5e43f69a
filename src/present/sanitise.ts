/**
 * Makes text of a repository safe to print: whatever a terminal would obey or a reader could not see is spelled out.
 * Everything that leaves `present/` as text has been through here; JSON keeps the raw text, without its secrets.
 */

/** Controls, bidi and zero-width characters, tags, fillers, variation selectors, separators that break lines. */
const HIDDEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\uFFF9-\uFFFB]/gu
const PICTURE = /\p{Extended_Pictographic}$/u
const EMOJI_STYLE = '\uFE0F'

/** Keeps tabs and line breaks (`\n`; the `\r` before it is dropped). Applying it twice changes nothing more. */
export const sanitise = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r+\n/g, '\n')
    .replace(HIDDEN, (character, offset: number, whole: string) => {
      if (character === '\n' || character === '\t') return character
      // ❤ and its emoji form differ by this selector only: it is common in prose and hides nothing.
      if (character === EMOJI_STYLE && PICTURE.test(whole.slice(Math.max(0, offset - 2), offset)))
        return character
      return visible(character)
    })

/** For what must stay on one line: paths, names, messages. */
export const sanitiseLine = (text: string): string => sanitise(text).replace(/[\n\t]/g, visible)

const visible = (character: string): string => {
  const code = character.codePointAt(0)!
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}
