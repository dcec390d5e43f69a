import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitise, sanitiseLine } from '../../dist/present/index.js'

/** Everything a terminal obeys or a reader cannot see. Written independently of the code under test. */
const isDangerous = (code: number): boolean =>
  (code < 0x20 && code !== 0x0a && code !== 0x09) ||
  (code >= 0x7f && code <= 0x9f) ||
  code === 0xad ||
  code === 0x61c ||
  code === 0x180e ||
  (code >= 0x200b && code <= 0x200f) ||
  (code >= 0x2028 && code <= 0x202e) ||
  (code >= 0x2060 && code <= 0x206f) ||
  code === 0xfeff ||
  (code >= 0xd800 && code <= 0xdfff) ||
  (code >= 0xe0000 && code <= 0xe0fff)

const dangers = fc.constantFrom(
  '\x1b[31m',
  '\x1b]8;;http://evil\x1b\\',
  '\x1b]52;c;AAAA\x07',
  '\x9b2J',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u{e0041}',
  '\u{e007f}',
  '\ud800',
  '\udc00',
  '\r',
  '\r\n',
  '\0',
  '\x7f',
  '\u2028',
  '❤\ufe0f',
  '\ufe0f',
)
const hostile = fc
  .array(fc.oneof(dangers, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), { maxLength: 12 })
  .map(parts => parts.join(''))

describe('sanitise', () => {
  it.each([
    ['\x1b[31mred\x1b[0m', '␛[31mred␛[0m'],
    ['\x1b]8;;http://evil\x1b\\click\x07', '␛]8;;http://evil␛\\click␇'],
    ['\x9b2J', '<U+009B>2J'],
    ['if (admin\u202e) {', 'if (admin<U+202E>) {'],
    ['pass\u200bword', 'pass<U+200B>word'],
    ['a\u{e0041}b', 'a<U+E0041>b'],
    ['nul\0del\x7f', 'nul␀del␡'],
    ['half \ud800 pair', 'half \ufffd pair'],
    ['one\r\ntwo\rthree', 'one\ntwo␍three'],
    ['line\u2028break', 'line<U+2028>break'],
    ['\ttab and ❤\ufe0f stay', '\ttab and ❤\ufe0f stay'],
    ['x\ufe0f does not', 'x<U+FE0F> does not'],
    ['naïve 日本語 مرحبا 👋🏽', 'naïve 日本語 مرحبا 👋🏽'],
  ])('%j', (raw, safe) => {
    expect(sanitise(raw)).toBe(safe)
  })

  it('lets nothing through that a terminal obeys or hides, and is idempotent', () => {
    fc.assert(
      fc.property(hostile, text => {
        const safe = sanitise(text)
        for (const character of safe) expect(isDangerous(character.codePointAt(0)!)).toBe(false)
        expect(sanitise(safe)).toBe(safe)
      }),
      { numRuns: 5_000 },
    )
  })

  it('keeps one line one line', () => {
    fc.assert(
      fc.property(hostile, text => {
        const safe = sanitiseLine(text)
        expect(safe).not.toMatch(/[\n\t\r]/)
        expect(sanitiseLine(safe)).toBe(safe)
      }),
      { numRuns: 2_000 },
    )
  })

  it('leaves ordinary text alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), text => {
        expect(sanitise(text)).toBe(text)
      }),
    )
  })
})
