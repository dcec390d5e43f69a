/** The static embedder with the table that ships, and with tables that are damaged in every way a file can be. */

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type StaticTableFile, staticEmbedder } from '../../../dist/adapters/embedders/static.js'
import { decodeTable, encodeTable, tableRevision } from '../../../dist/adapters/embedders/static-table.js'
import { realTexts } from '../onnx/real-texts.js'

const SHIPPED = new URL('../../../assets/static-table.bin', import.meta.url)

const cosine = (a: Float32Array | null | undefined, b: Float32Array | null | undefined) =>
  a && b ? a.reduce((sum, value, column) => sum + value * (b[column] ?? 0), 0) : Number.NaN

async function tableOnDisk(bytes: Buffer, from: Buffer = bytes): Promise<StaticTableFile> {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-static-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'table.bin')
  await writeFile(path, bytes)
  return { path, dimensions: from.readUInt32LE(12), revision: tableRevision(from) }
}

const TOKENS = ['[UNK]', 'red', 'green', '##ish', 'ring']
const ROWS = Float32Array.of(0, 0, 1, 0, 0, 1, 0.5, 0.5, 0, 0)
const small = encodeTable(2, TOKENS, ROWS)

const tokensOf = (vocabulary: Uint8Array): string[] =>
  Buffer.from(vocabulary).toString().trimEnd().split('\n')

describe('the table that ships', () => {
  it('is at most 4 MB and is the one the code names', async () => {
    expect((await stat(SHIPPED)).size).toBeLessThanOrEqual(4_000_000)
    const file = await readFile(SHIPPED)
    const { dimensions, vocabulary } = decodeTable(file)
    expect(staticEmbedder()).toMatchObject({ id: `static-${dimensions}/${tableRevision(file)}`, dimensions })
    expect(tokensOf(vocabulary).length).toBeGreaterThan(20_000)
  })

  it('puts the fitting passage first', async () => {
    const embedder = staticEmbedder()
    const [question] = await embedder.embed(['how are failed requests retried'], 'question')
    const [other, fitting] = await embedder.embed(
      [
        'class Matrix { transpose() { return rows } }',
        'async function retryRequest(request, attempts) { send() }',
      ],
      'passage',
    )
    expect(cosine(question, fitting)).toBeGreaterThan(cosine(question, other) + 0.1)
    expect(cosine(fitting, fitting)).toBeCloseTo(1, 5)
  })

  it('reads camelCase as words', async () => {
    const [camel, plain] = await staticEmbedder().embed(['parseDateString', 'parse date string'], 'passage')
    expect(camel).toEqual(plain)
  })

  it('gives null for a text without words it knows, never a zero vector', async () => {
    expect(await staticEmbedder().embed(['', ' \n', '\u0000'], 'passage')).toEqual([null, null, null])
  })

  it('is quick: it loads in far less than a second and embeds thousands of chunks in another', async () => {
    const texts = await realTexts(2_000)
    const embedder = staticEmbedder()
    const start = performance.now()
    await embedder.embed(['load'], 'passage')
    const loaded = performance.now()
    await embedder.embed(texts, 'passage')
    // Generous, because tests share their machine; docs/models.md has the figures of an idle one.
    expect(loaded - start).toBeLessThan(500)
    expect((1000 * texts.length) / (performance.now() - loaded)).toBeGreaterThan(300)
  })

  it('stops when it is told to', async () => {
    const embedding = staticEmbedder().embed(['one', 'two'], 'passage', AbortSignal.abort())
    await expect(embedding).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})

describe('a table', () => {
  it('comes back as it was written, to within the 8 bits', () => {
    const { dimensions, vocabulary, scales, rows } = decodeTable(small)
    expect({ dimensions, tokens: tokensOf(vocabulary) }).toEqual({ dimensions: 2, tokens: TOKENS })
    for (const [position, value] of ROWS.entries())
      expect((scales[position >> 1] ?? 0) * (rows[position] ?? 0)).toBeCloseTo(value, 2)
  })

  it('is summed over the pieces of the words', async () => {
    const [vector] = await staticEmbedder(await tableOnDisk(small)).embed(['Red greenish'], 'passage')
    expect(vector?.[0]).toBeCloseTo(1.5 / Math.hypot(1.5, 1.5), 2)
  })

  it('that says nothing of a text gives null', async () => {
    expect(await staticEmbedder(await tableOnDisk(small)).embed(['ring', 'blue'], 'passage')).toEqual([
      null,
      null,
    ])
  })

  const flipped = Buffer.from(small)
  flipped[small.length - 1] = (flipped[small.length - 1] ?? 0) ^ 0x40
  const newer = Buffer.from(small)
  newer.writeUInt32LE(2, 8)
  const cases: [string, Buffer][] = [
    ['with a flipped bit', flipped],
    ['that is cut off', small.subarray(0, small.length - 3)],
    ['that is too long', Buffer.concat([small, Buffer.alloc(1)])],
    [
      'that is another file',
      Buffer.from('something else entirely, and long enough to hold a header'.repeat(2)),
    ],
    ['that is empty', Buffer.alloc(0)],
    ['of a later format', newer],
    [
      'of another version of the package',
      encodeTable(
        2,
        TOKENS,
        ROWS.map(value => value + 1),
      ),
    ],
  ]
  for (const [what, bytes] of cases) {
    it(`${what} is MODEL_DAMAGED with the command to type`, async () => {
      const embedder = staticEmbedder(await tableOnDisk(bytes, small))
      await expect(embedder.embed(['red'], 'passage')).rejects.toMatchObject({
        code: 'MODEL_DAMAGED',
        hint: expect.stringContaining('npm install'),
      })
    })
  }

  it('that is missing is MODEL_MISSING, and only when it is asked', async () => {
    const embedder = staticEmbedder({ path: '/nowhere/table.bin', dimensions: 2, revision: '00000000' })
    await expect(embedder.embed(['red'], 'passage')).rejects.toMatchObject({ code: 'MODEL_MISSING' })
  })
})
