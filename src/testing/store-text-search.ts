/** Contract of a store, second part: the text lane and its filters. */

import type { TextScoring } from '../core/ports.js'
import type { ChunkFilter, QueryTerm } from '../core/questions.js'
import { plainScoring, sampleDocument } from './sample-documents.js'
import type { Bench, ContractTest } from './store-contract.js'

type FieldWeights = TextScoring['weights']

const EVERYWHERE: FieldWeights = { body: 1, header: 1, path: 1, symbols: 1 }

const terms = (...tokens: readonly string[]): QueryTerm[] => tokens.map(token => ({ token, weight: 1 }))

const search = async (
  { reader }: Bench,
  wanted: readonly QueryTerm[],
  {
    fields = EVERYWHERE,
    filter = {},
    limit = 10,
  }: { fields?: FieldWeights; filter?: ChunkFilter; limit?: number } = {},
): Promise<string[]> => {
  const index = await reader()
  const ranked = await index.matchTerms(wanted, plainScoring(fields), filter, limit)
  return (await index.chunks(ranked.map(({ id }) => id))).map(({ text }) => text)
}

const ODD_TOKENS = [
  'c++',
  'c#',
  'a.b.c',
  '1.0.21',
  'foo-bar',
  'and',
  'or',
  'not',
  'near',
  '*',
  '"',
  'a"b',
  '(',
  '{body}',
  ':',
  '^x',
  '%',
  '%0041',
  'x:1a',
  "don't",
  '検索',
  'ß',
  'é',
  '😀',
  'Ä',
  'A',
  'ſ',
  '\u0000',
  '_',
  '-',
  '+'.repeat(300),
]

export const textSearchTests: readonly ContractTest[] = [
  [
    'combines terms with OR, best first, with positive scores',
    async (bench, { expect }) => {
      const texts = ['red green blue', 'red green', 'red', 'yellow']
      await (await bench.writer()).commit(
        texts.map((text, n) => sampleDocument(`${n}.ts`, [text])),
        [],
      )
      const ranked = await (await bench.reader()).matchTerms(
        terms('blue', 'green', 'red', 'absent'),
        plainScoring(EVERYWHERE),
        {},
        10,
      )
      expect(await search(bench, terms('blue', 'green', 'red', 'absent'))).toEqual(texts.slice(0, 3))
      const scores = ranked.map(({ score }) => score)
      expect(scores).toEqual([...scores].sort((one, other) => other - one))
      expect(scores.at(-1)).toBeGreaterThan(0)
    },
  ],
  [
    'counts the weight of a term',
    async (bench, { expect }) => {
      await (await bench.writer()).commit([sampleDocument('a.ts', ['alpha', 'beta', 'gamma', 'delta'])], [])
      const weighed = (alpha: number, beta: number) => [
        { token: 'alpha', weight: alpha },
        { token: 'beta', weight: beta },
      ]
      expect(await search(bench, weighed(2, 1))).toEqual(['alpha', 'beta'])
      expect(await search(bench, weighed(1, 2))).toEqual(['beta', 'alpha'])
      expect(await search(bench, weighed(0, 1))).toEqual(['beta'])
    },
  ],
  [
    'weighs fields, and leaves out those with weight 0',
    async (bench, { expect }) => {
      const inField = (field: string) => ({
        text: `in ${field}`,
        tokens: { body: 'filler', [field]: 'needle' },
      })
      const fields = ['body', 'header', 'path', 'symbols']
      await (await bench.writer()).commit([sampleDocument('a.ts', fields.map(inField))], [])
      for (const field of fields) {
        const only = { body: 0, header: 0, path: 0, symbols: 0, [field]: 1 }
        expect(await search(bench, terms('needle'), { fields: only })).toEqual([`in ${field}`])
        const first = await search(bench, terms('needle'), { fields: { ...EVERYWHERE, [field]: 20 } })
        expect(first).toHaveLength(4)
        expect(first[0]).toBe(`in ${field}`)
      }
      expect(
        await search(bench, terms('needle'), { fields: { body: 0, header: 0, path: 0, symbols: 0 } }),
      ).toEqual([])
    },
  ],
  [
    'prefers rare words, frequent use and short texts',
    async (bench, { expect }) => {
      const common = Array.from({ length: 20 }, (_, n) => `common word${n}`)
      await (await bench.writer()).commit([sampleDocument('a.ts', [...common, 'rare thing'])], [])
      expect((await search(bench, terms('common', 'rare')))[0]).toBe('rare thing')
      await (await bench.writer()).commit(
        [sampleDocument('b.ts', ['x y z', 'x x z', 'x y z and quite a few more words'])],
        [],
      )
      expect(await search(bench, terms('x'))).toEqual(['x x z', 'x y z', 'x y z and quite a few more words'])
    },
  ],
  [
    'gives a word that is everywhere a small score, never a negative one',
    async (bench, { expect }) => {
      await (await bench.writer()).commit([sampleDocument('a.ts', ['the cat', 'the dog', 'the end'])], [])
      const ranked = await (await bench.reader()).matchTerms(terms('the'), plainScoring(EVERYWHERE), {}, 10)
      expect(ranked).toHaveLength(3)
      for (const { score } of ranked) expect(score).toBeGreaterThan(0)
      expect((await search(bench, terms('the', 'dog')))[0]).toBe('the dog')
    },
  ],
  [
    'finds each token itself and nothing else, whatever it is made of',
    async (bench, { expect }) => {
      const chunks = ODD_TOKENS.map(token => ({ text: `text ${token}`, tokens: { body: token } }))
      await (await bench.writer()).commit([sampleDocument('a.ts', chunks)], [])
      for (const token of ODD_TOKENS) expect(await search(bench, terms(token))).toEqual([`text ${token}`])
      const { counts } = await (await bench.reader()).frequencies(ODD_TOKENS)
      expect([...counts.values()]).toEqual(ODD_TOKENS.map(() => 1))
    },
  ],
  [
    'takes no token for query syntax',
    async (bench, { expect }) => {
      await (await bench.writer()).commit([sampleDocument('a.ts', ['plain words here'])], [])
      const hostile = [
        'plain OR words',
        '"plain"',
        'pla*',
        'body:plain',
        'plain words',
        '^plain',
        'NOT',
        '',
        ' ',
        '\u0000plain',
        "'; DROP TABLE chunks; --",
      ]
      for (const token of hostile) expect(await search(bench, terms(token))).toEqual([])
    },
  ],
  [
    'survives many terms, the same term twice and senseless weights',
    async (bench, { expect }) => {
      await (await bench.writer()).commit([sampleDocument('a.ts', ['needle', 'hay'])], [])
      const many = Array.from({ length: 500 }, (_, n) => ({ token: `t${n}`, weight: 1 }))
      expect(await search(bench, [...many, { token: 'needle', weight: 2 }])).toEqual(['needle'])
      const twice = await (await bench.reader()).matchTerms(
        terms('needle', 'needle'),
        plainScoring(EVERYWHERE),
        {},
        10,
      )
      expect(twice).toHaveLength(1)
      const senseless = [Number.NaN, Number.POSITIVE_INFINITY, -1, 0].map(weight => ({
        token: 'needle',
        weight,
      }))
      expect(await search(bench, senseless)).toEqual([])
      expect(await search(bench, [])).toEqual([])
    },
  ],
  [
    'keeps to the limit',
    async (bench, { expect }) => {
      await (await bench.writer()).commit([sampleDocument('a.ts', ['x a', 'x b', 'x c'])], [])
      expect(await search(bench, terms('x'), { limit: 2 })).toHaveLength(2)
      expect(await search(bench, terms('x'), { limit: 1e9 })).toHaveLength(3)
      for (const limit of [0, -1, Number.NaN]) expect(await search(bench, terms('x'), { limit })).toEqual([])
    },
  ],
  [
    'narrows before it cuts off',
    async (bench, { expect }) => {
      const better = Array.from({ length: 300 }, (_, n) =>
        sampleDocument(`src/${n}.ts`, ['needle needle needle']),
      )
      const wanted = sampleDocument(
        'docs/deep/guide.md',
        [
          {
            text: 'a needle in a rather long text about hay and stacks',
            symbols: [speaker('Zoë "Z" O’Hara')],
          },
        ],
        {
          kind: 'note',
          language: 'markdown',
          time: 5000,
        },
      )
      await (await bench.writer()).commit([...better, wanted], [])
      const filters: ChunkFilter[] = [
        { kinds: ['note', 'hunk'] },
        { languages: ['markdown', 'go'] },
        { paths: ['docs/**'] },
        { paths: ['*.md'] },
        { paths: ['!src/**'] },
        { paths: ['docs/deep'] },
        { until: 5000 },
        { since: 5000, until: 5000 },
        { documents: ['docs/deep/guide.md', 'nowhere'] },
        { speaker: ' zoë "z" o’hara' },
        { speaker: 'ZOË "Z" O’HARA', documents: ['docs/deep/guide.md'], kinds: ['note'] },
        {
          kinds: ['note'],
          languages: ['markdown'],
          paths: ['**/*.{md,txt}'],
          since: 1,
          until: 9000,
        },
      ]
      for (const filter of filters) {
        expect((await search(bench, terms('needle'), { filter, limit: 5 }))[0]).toBe(wanted.chunks[0]!.text)
        expect(await search(bench, terms('needle'), { filter, limit: 5 })).toHaveLength(1)
      }
      expect(await search(bench, terms('needle'), { filter: { kinds: ['hunk'] } })).toEqual([])
      expect(await search(bench, terms('needle'), { filter: { since: 1e15 } })).toEqual([])
      expect(await search(bench, terms('needle'), { filter: { speaker: 'zoë' } })).toEqual([])
      expect(
        await search(bench, terms('needle'), { filter: { speaker: 'zoë', documents: ['src/1.ts'] } }),
      ).toEqual([])
      expect(
        await search(bench, terms('needle'), { filter: { kinds: [], languages: [], paths: [] }, limit: 400 }),
      ).toHaveLength(301)
      await expect(
        search(bench, terms('needle'), { filter: { paths: ['{a,b}'.repeat(10)] } }),
      ).rejects.toMatchObject({ code: 'BAD_INPUT' })
    },
  ],
  [
    'forgets the words of what was removed or replaced',
    async (bench, { expect }) => {
      const index = await bench.writer()
      await index.commit([sampleDocument('a.ts', ['apple pear']), sampleDocument('b.ts', ['apple plum'])], [])
      expect([...(await (await bench.reader()).frequencies(['apple', 'pear', 'fig'])).counts]).toEqual([
        ['apple', 2],
        ['pear', 1],
        ['fig', 0],
      ])
      await index.commit([sampleDocument('a.ts', ['fig'])], [])
      await index.remove('code', ['b.ts'])
      expect(await search(bench, terms('apple', 'pear', 'plum'))).toEqual([])
      expect(await search(bench, terms('fig'))).toEqual(['fig'])
      const { total, counts } = await (await bench.reader()).frequencies(['apple', 'fig'])
      expect([total, ...counts.values()]).toEqual([1, 0, 1])
    },
  ],
]

const speaker = (name: string) => ({ name, kind: 'speaker', qualifiedName: name, line: 1 })
