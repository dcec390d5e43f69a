import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { treeSitterChunker } from '../../../dist/adapters/chunkers/tree-sitter/index.js'
import { LANGUAGES } from '../../../dist/adapters/chunkers/tree-sitter/languages/index.js'
import { languageOf } from '../../../dist/text/language.js'
import { documentOf, expectCover, linesOf } from './document.js'
import { FIXTURES } from './expected-symbols.js'

const chunker = treeSitterChunker({ workers: 1 })
const small = treeSitterChunker({ workers: 1, chunkCharacters: 300 })
afterAll(async () => {
  await chunker.close()
  await small.close()
})

const read = (file: string): Promise<string> =>
  readFile(new URL(`../../fixtures/languages/${file}.fixture`, import.meta.url), 'utf8')

it('has a fixture for every language with a grammar', () => {
  const covered = new Set(Object.values(FIXTURES).map(({ language }) => language))
  for (const language of LANGUAGES.keys()) expect(covered.has(language), language).toBe(true)
})

describe.each(Object.entries(FIXTURES))('%s', (file, { language, symbols }) => {
  it('finds its symbols, with their lines', async () => {
    const text = await read(file)
    expect(languageOf(file)).toBe(language)
    const chunks = await chunker.chunk(documentOf(file, language, text))
    const found = chunks.flatMap(chunk => chunk.symbols)
    const expected = symbols.trim().split(/\n\s*/)
    expect(found.map(({ line, kind, qualifiedName }) => `${line} ${kind} ${qualifiedName}`)).toEqual(expected)
    const lines = linesOf(text)
    for (const { name, qualifiedName, line, kind } of found) {
      expect(qualifiedName.endsWith(name)).toBe(true)
      if (kind !== 'heading' && name !== 'Companion') expect(lines[line - 1]).toContain(name)
    }
  })

  it.each([
    ['usual', chunker, 1_500],
    ['small', small, 300],
  ] as const)('is covered by chunks of %s size', async (_, cutter, budget) => {
    const path = `src/deep/${file}`
    const text = await read(file)
    const chunks = await cutter.chunk(documentOf(path, language, text))
    expectCover(text, chunks, budget)
    for (const chunk of chunks) expect(chunk.header.startsWith(path)).toBe(true)
  })

  it('finds the same symbols however small the chunks are', async () => {
    const text = await read(file)
    const names = new Set(
      (await small.chunk(documentOf(file, language, text))).flatMap(chunk =>
        chunk.symbols.map(({ line, kind, qualifiedName }) => `${line} ${kind} ${qualifiedName}`),
      ),
    )
    // Small chunks open large functions, where more may be found, never less.
    for (const symbol of symbols.trim().split(/\n\s*/)) expect(names).toContain(symbol)
  })

  it('reads CRLF like LF', async () => {
    const text = await read(file)
    const plain = await chunker.chunk(documentOf(file, language, text))
    const windows = await chunker.chunk(documentOf(file, language, `\uFEFF${text.replaceAll('\n', '\r\n')}`))
    expect(windows).toEqual(plain)
  })

  it('survives being cut off anywhere', async () => {
    const text = await read(file)
    for (const share of [0.2, 0.5, 0.8]) {
      const broken = `${text.slice(0, Math.floor(text.length * share))} ((( { [ "`
      expectCover(broken, await chunker.chunk(documentOf(file, language, broken)))
    }
  })
})
