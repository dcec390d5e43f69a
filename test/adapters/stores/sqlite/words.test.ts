import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LENGTH_OF_BYTE, lengthBytes } from '../../../../dist/adapters/stores/sqlite/lengths.js'
import { decodeClass, escapeToken, prepareWords } from '../../../../dist/adapters/stores/sqlite/words.js'
import { plainScoring, sampleDocument } from '../../../../dist/testing/index.js'
import { IDENTITY, scratchDirectory, storeIn } from './scratch.js'

const token = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 12 }),
    fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }),
    fc.string({
      minLength: 1,
      maxLength: 8,
      unit: fc.constantFrom(
        'a',
        'A',
        'b',
        '%',
        ':',
        '0',
        '"',
        '*',
        '_',
        '.',
        '-',
        '+',
        '#',
        'é',
        'ſ',
        's',
        'K',
        'k',
      ),
    }),
    fc.constantFrom('x'.repeat(300), 'y'.repeat(40_000), `${'y'.repeat(40_000)}z`),
  )
  .filter(text => !/\s/.test(text))

describe('escapeToken', () => {
  it('keeps different tokens different and makes one word of each', () => {
    fc.assert(
      fc.property(token, token, (one, other) => {
        expect(escapeToken(one) === escapeToken(other)).toBe(one === other)
        expect(escapeToken(one)).toMatch(/^[^\s:;"A-Z]+$/u)
      }),
      { numRuns: 2000 },
    )
  })

  it('leaves the tokens of everyday life as they are', () => {
    for (const plain of ['getusername', 'c++', 'c#', '1.0.21', 'foo-bar', 'snake_case', '検索', 'größe']) {
      expect(escapeToken(plain)).toBe(plain)
    }
  })
})

describe('prepareWords', () => {
  it('writes one posting for each token, with its counts', () => {
    const { postings } = prepareWords({
      ...{ body: 'a b a c a', header: 'b x', path: 'x', symbols: 'b b' },
      ...{ title: 'x', tests: 'a a y', removed: 'y', notes: '' },
    })
    const none = { body: 0, header: 0, path: 0, symbols: 0, title: 0, tests: 0, removed: 0, notes: 0 }
    const read = new Map(
      postings
        .trim()
        .split(' ')
        .map(posting => [posting.split(':')[0], decodeClass(posting)]),
    )
    expect([...read]).toEqual([
      ['a', { ...none, body: 3, tests: 2 }],
      ['b', { ...none, body: 1, header: 1, symbols: 2 }],
      ['c', { ...none, body: 1 }],
      ['y', { ...none, tests: 1, removed: 1 }],
      ['x', { ...none, header: 1, path: 1, title: 1 }],
    ])
  })

  it('keeps a count from running into the next field', () => {
    const { postings } = prepareWords({ body: 'a '.repeat(5000).trim(), tests: 'a' })
    expect(decodeClass(postings.trim())).toMatchObject({ body: 20, tests: 1, removed: 0 })
  })

  it('packs the lengths of the fields, short ones exactly and long ones closely', () => {
    const many = (count: number): string => Array.from({ length: count }, (_, n) => `t${n}`).join(' ')
    const counts = { body: 70_000, header: 9, path: 0, symbols: 31, title: 33, tests: 700, removed: 5 }
    const fields = Object.entries(counts).map(([field, count]) => [field, many(count)])
    const { lengths } = prepareWords(Object.fromEntries(fields))
    for (const [field, count] of Object.entries(counts)) {
      const { inFirst, shift } = lengthBytes(field as keyof typeof counts)
      const length = LENGTH_OF_BYTE[(lengths[inFirst ? 0 : 1] >>> shift) & 255]!
      expect(Math.abs(length - count)).toBeLessThanOrEqual(count < 32 ? 0 : count / 16)
    }
  })
})

describe('the full-text index', () => {
  it('finds any token without white space itself, and nothing else', async () => {
    const tokens = [...new Set(fc.sample(token, { seed: 42, numRuns: 600 }))]
    const writer = await storeIn(join(scratchDirectory(), 'index')).openWriter(IDENTITY)
    const directory = join(scratchDirectory(), 'index')
    await writer.close()
    const store = storeIn(directory)
    const index = await store.openWriter(IDENTITY)
    await index.commit(
      [
        sampleDocument(
          'a.ts',
          tokens.map((body, number) => ({ text: String(number), tokens: { body } })),
        ),
      ],
      [],
    )
    await index.close()
    const reader = await store.openReader()
    const ids = (await reader.chunksOf('a.ts')).map(({ id }) => id)
    for (const [number, wanted] of tokens.entries()) {
      const found = await reader.matchTerms([{ token: wanted, weight: 1 }], plainScoring({ body: 1 }), {}, 10)
      expect([wanted, found.map(({ id }) => id)]).toEqual([wanted, [ids[number]]])
    }
    await reader.close()
  })

  it('answers anything that is asked, without an error', async () => {
    const store = storeIn(join(scratchDirectory(), 'index'))
    const writer = await store.openWriter(IDENTITY)
    await writer.commit([sampleDocument('a.ts', ['plain words', 'more words'])], [])
    await writer.close()
    const reader = await store.openReader()
    const question = fc.array(
      fc.record({ token: fc.string({ unit: 'binary', maxLength: 20 }), weight: fc.double() }),
      { maxLength: 80 },
    )
    const fields = fc.record({
      body: fc.double(),
      header: fc.double(),
      path: fc.double(),
      symbols: fc.double(),
    })
    await fc.assert(
      fc.asyncProperty(question, fields, fc.double(), async (terms, weights, limit) => {
        const ranked = await reader.matchTerms(terms, plainScoring(weights), {}, limit)
        for (const { score } of ranked) expect(score).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
    await reader.close()
  })
})
