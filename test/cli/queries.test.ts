import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { readQueries } from '../../dist/cli/queries.js'

const folder = mkdtempSync(join(tmpdir(), 'quarry-queries-'))
afterAll(() => rmSync(folder, { recursive: true }))

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
const fromFile = async (name: string, content: string | Buffer) => {
  const file = join(folder, name)
  writeFileSync(file, content)
  return collect(readQueries(file, Readable.from([])))
}
const fromStdin = (...chunks: (string | Buffer)[]) => collect(readQueries('-', Readable.from(chunks)))

describe('readQueries', () => {
  it('reads plain text, one a line, without blank lines', async () => {
    expect(await fromFile('plain.txt', '\uFEFFfirst\r\n\n   \nsecond \u2028 part\nlast')).toEqual([
      { line: 1, query: 'first' },
      { line: 4, query: 'second \u2028 part' },
      { line: 5, query: 'last' },
    ])
  })

  it('reads JSON Lines with ids and line breaks inside a question', async () => {
    const lines = [{ id: 'a', query: 'one\ntwo \u2028' }, { id: 7, query: '' }, { query: 'no id' }]
    expect(await fromFile('many.jsonl', lines.map(line => JSON.stringify(line)).join('\n'))).toEqual([
      { line: 1, id: 'a', query: 'one\ntwo \u2028' },
      { line: 2, id: 7, query: '' },
      { line: 3, query: 'no id' },
    ])
  })

  it('says what is wrong with a line and goes on', async () => {
    const lines = [
      '{"id":"a"',
      '{"id":"b"}',
      '{"id":"c","query":1}',
      '[]',
      'null',
      '{"id":"d","query":"x","limit":3}',
      '{"id":"e","query":"x","__proto__":{"polluted":1}}',
      '{"id":{},"query":"x"}',
      '{"id":"f","query":"fine"}',
    ]
    const read = await fromFile('bad.jsonl', lines.join('\n'))
    expect(read.map(item => ('error' in item ? item.error.code : item.query))).toEqual([
      ...Array(8).fill('BAD_INPUT'),
      'fine',
    ])
    expect(read.map(item => item.id)).toEqual([
      undefined,
      'b',
      'c',
      undefined,
      undefined,
      'd',
      'e',
      undefined,
      'f',
    ])
    expect(read[5]).toHaveProperty('error.message', expect.stringContaining('limit'))
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('tells JSON Lines from plain text on stdin by the first line', async () => {
    expect(await fromStdin('\n{"id":1,"query":"x"}\nplain\n')).toMatchObject([
      { id: 1, query: 'x' },
      { error: {} },
    ])
    expect(await fromStdin('what is {"a":1}\n{"id":1,"query":"x"}\n')).toMatchObject([
      { query: 'what is {"a":1}' },
      { query: '{"id":1,"query":"x"}' },
    ])
    expect(await fromStdin()).toEqual([])
  })

  it('reads the same wherever the stream is cut', async () => {
    const text = 'naïve 日本語 😀\r\nzwei\n\nlast'
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(40)), async cuts => {
        const bytes = Buffer.from(text)
        const places = [...new Set([0, ...cuts.filter(cut => cut < bytes.length), bytes.length])].sort(
          (a, b) => a - b,
        )
        const chunks = places.slice(1).map((place, i) => bytes.subarray(places[i]!, place))
        expect(await fromStdin(...chunks)).toEqual([
          { line: 1, query: 'naïve 日本語 😀' },
          { line: 2, query: 'zwei' },
          { line: 4, query: 'last' },
        ])
      }),
      { numRuns: 50 },
    )
  })

  it('survives bytes that are not UTF-8, a line without an end, and a megabyte', async () => {
    expect(await fromFile('bytes.txt', Buffer.from([0x61, 0xff, 0x62, 0x0a]))).toEqual([
      { line: 1, query: 'a\ufffdb' },
    ])
    const [long] = await fromFile('long.txt', 'x'.repeat(1_000_000))
    expect(long).toHaveProperty('query.length', 1_000_000)
    const piece = Buffer.alloc(1024 * 1024, 0x78)
    const endless = await fromStdin(...Array(17).fill(piece), Buffer.from('\nnext\n'))
    expect(endless).toMatchObject([
      { line: 1, error: { code: 'BAD_INPUT' } },
      { line: 2, query: 'next' },
    ])
  })

  it('names a file that cannot be read', async () => {
    const missing = join(folder, 'missing.txt')
    await expect(collect(readQueries(missing, Readable.from([])))).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
    await expect(collect(readQueries(folder, Readable.from([])))).rejects.toThrow(/EISDIR/)
  })
})
