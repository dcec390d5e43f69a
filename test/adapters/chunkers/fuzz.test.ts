import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { treeSitterChunker } from '../../../dist/adapters/chunkers/tree-sitter/index.js'
import { LANGUAGES } from '../../../dist/adapters/chunkers/tree-sitter/languages/index.js'
import { documentOf, expectCover } from './document.js'

const chunker = treeSitterChunker({ workers: 2, chunkCharacters: 120 })
afterAll(() => chunker.close())

const end = fc.constantFrom('\n', '\n', '\r\n', '\r', '\n\n', '')

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '\uD83D',
    '\uDE00',
    '🎉'.repeat(40),
    '\uFEFF',
    '\u2028',
    '\0',
    '\t\t',
    ' '.repeat(60),
    'x'.repeat(4_100),
    '🎉'.repeat(2_100),
  ),
  fc.constantFrom(
    'class A {',
    '}',
    'def f(self):',
    '    return 1',
    'end',
    'fn main() {',
    '# heading',
    '## second ##',
    '=====',
    '```',
    '~~~',
    '---',
    '/* comment',
    '*/',
    '// line',
    '"""',
    'module M where',
    'defmodule M do',
    '#ifdef X',
    '#endif',
    '@decorator',
    'export const f = () => {',
    'function M.x() end',
  ),
)

const text = fc
  .array(fc.tuple(piece, end), { maxLength: 40 })
  .map(parts => parts.map(([words, lineEnd]) => words + lineEnd).join(''))

const language = fc.constantFrom(...LANGUAGES.keys(), 'markdown', 'markdown', 'text', 'yaml')

it('covers any text in any language', async () => {
  await fc.assert(
    fc.asyncProperty(language, text, async (name, content) => {
      const chunks = await chunker.chunk(documentOf('any/path', name, content))
      expectCover(content, chunks, 120)
      for (const { header, text: part } of chunks) {
        expect(header.startsWith('any/path')).toBe(true)
        // A pair is never torn: a chunk is well formed unless the text itself was not.
        if (content.isWellFormed()) expect(part.isWellFormed()).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})

it('cuts the same text the same way, whichever worker has it', async () => {
  await fc.assert(
    fc.asyncProperty(language, text, async (name, content) => {
      const document = documentOf('any/path', name, content)
      const [one, other] = await Promise.all([chunker.chunk(document), chunker.chunk(document)])
      expect(one).toEqual(other)
    }),
    { numRuns: 50 },
  )
})
