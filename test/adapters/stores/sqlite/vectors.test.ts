import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keepBest } from '../../../../dist/adapters/stores/sqlite/best.js'
import {
  createKernel,
  createMemory,
  plainKernel,
  QUESTION_AT,
  RESULTS_AT,
  ROWS_AT,
} from '../../../../dist/adapters/stores/sqlite/dot-kernel.js'
import { quantise } from '../../../../dist/adapters/stores/sqlite/quantise.js'
import { embeddingHashOf, sampleDocument, sampleVectors, unit } from '../../../../dist/testing/index.js'
import { randomNumbers } from './processes.js'
import { select } from './raw.js'
import { IDENTITY, scratchDirectory, storeIn } from './scratch.js'

describe('the dot kernel', () => {
  it.each([16, 64, 384, 1024])('gives what plain arithmetic gives, %d dimensions', stride => {
    const rows = 100
    const random = randomNumbers(stride)
    const memory = createMemory()
    memory.grow(Math.ceil((rows * stride) / 65_536))
    const matrix = new Int8Array(memory.buffer, ROWS_AT, rows * stride)
    const question = new Int16Array(memory.buffer, QUESTION_AT, stride)
    for (let at = 0; at < matrix.length; at++) matrix[at] = Math.round(random() * 254 - 127)
    for (let at = 0; at < stride; at++) question[at] = Math.round(random() * 254 - 127)
    // The largest values there are, in one row: sums of products must not overflow.
    matrix.fill(127, 0, stride)
    matrix.fill(-127, stride, 2 * stride)
    const run = (kernel: ReturnType<typeof createKernel>): number[] => {
      new Int32Array(memory.buffer, RESULTS_AT, rows).fill(-1)
      kernel(ROWS_AT, rows, stride)
      return [...new Int32Array(memory.buffer, RESULTS_AT, rows)]
    }
    expect(run(createKernel(memory))).toEqual(run(plainKernel(memory)))
    question.fill(127)
    expect(run(createKernel(memory)).slice(0, 2)).toEqual([127 * 127 * stride, -127 * 127 * stride])
  })
})

describe('quantise', () => {
  it('keeps the direction', () => {
    const random = randomNumbers(5)
    for (let round = 0; round < 50; round++) {
      const vector = unit(Array.from({ length: 384 }, () => random() - 0.5))
      const { bytes, scale } = quantise(vector)!
      const back = Float32Array.from(bytes, byte => byte * scale)
      expect(Math.hypot(...back)).toBeCloseTo(1, 5)
      expect(vector.reduce((sum, value, at) => sum + value * back[at]!, 0)).toBeGreaterThan(0.9999)
    }
  })

  it('refuses what has none', () => {
    for (const bad of [
      [0, 0],
      [Number.NaN, 1],
      [Number.POSITIVE_INFINITY, 0],
    ])
      expect(quantise(Float32Array.from(bad))).toBeNull()
  })
})

describe('keepBest', () => {
  it('keeps what sorting would keep', () => {
    const random = randomNumbers(9)
    for (let round = 0; round < 200; round++) {
      const all = Array.from({ length: Math.floor(random() * 60) }, (_, id) => ({
        id,
        score: Math.floor(random() * 10),
      }))
      const limit = Math.floor(random() * 20)
      const best = keepBest(limit)
      for (const { id, score } of all.toSorted(() => random() - 0.5)) best.offer(id, score)
      const sorted = all.toSorted((one, other) => other.score - one.score || one.id - other.id)
      expect(best.sorted()).toEqual(sorted.slice(0, limit))
    }
  })
})

describe('the vector lane', () => {
  /** Clusters, as real vectors have them: neighbours that bytes could confuse. */
  const clusters = (count: number, dimensions: number): Float32Array[] => {
    const random = randomNumbers(11)
    const centres = Array.from({ length: 40 }, () => Array.from({ length: dimensions }, () => random() - 0.5))
    return Array.from({ length: count }, (_, n) =>
      unit(centres[n % 40]!.map(value => value + (random() - 0.5) * 0.5)),
    )
  }

  it('finds what an exact search at full precision finds', async () => {
    const dimensions = 100
    const vectors = clusters(3000, dimensions)
    const store = storeIn(join(scratchDirectory(), 'index'))
    const writer = await store.openWriter(IDENTITY)
    const texts = vectors.map((_, n) => `text ${n}`)
    await writer.commit(
      [sampleDocument('a.ts', texts)],
      [
        {
          embedderId: 'm',
          dimensions,
          vectors: new Map(vectors.map((vector, n) => [embeddingHashOf(texts[n]!), vector])),
        },
      ],
    )
    await writer.close()
    const reader = await store.openReader()
    let shared = 0
    for (const question of clusters(3020, dimensions).slice(3000)) {
      const exact = vectors
        .map((vector, n) => ({
          n,
          cosine: vector.reduce((sum, value, at) => sum + value * question[at]!, 0),
        }))
        .sort((one, other) => other.cosine - one.cosine)
        .slice(0, 100)
      const found = await reader.nearest('m', question, {}, 100)
      const foundTexts = (await reader.chunks(found.map(({ id }) => id))).map(({ ordinal }) => ordinal)
      shared += exact.filter(({ n }) => foundTexts.includes(n)).length
      for (const [position, { score }] of found.entries())
        expect(Math.abs(score - exact[position]!.cosine)).toBeLessThan(0.01)
    }
    expect(shared / 2000).toBeGreaterThan(0.97)
    await reader.close()
  })

  it('sweeps vectors of vanished texts when they outnumber the living', async () => {
    const directory = join(scratchDirectory(), 'index')
    const writer = await storeIn(directory).openWriter(IDENTITY)
    const count = (): unknown =>
      select(
        directory,
        'SELECT (SELECT count(*) FROM embeddings) AS texts, (SELECT count(*) FROM embedded) AS vectors',
      )[0]
    await writer.commit(
      [sampleDocument('a.ts', ['one', 'two', 'three'])],
      [sampleVectors('m', { one: [1, 0], two: [0, 1], three: [1, 1] })],
    )
    await writer.commit(
      [sampleDocument('a.ts', ['one', 'two', 'four'])],
      [sampleVectors('m', { four: [1, 2] })],
    )
    await writer.finish(1)
    expect(count()).toEqual({ texts: 4, vectors: 4 })
    const reader = await storeIn(directory).openReader()
    expect(await reader.nearest('m', unit([1, 0]), {}, 10)).toHaveLength(3)
    await writer.commit([sampleDocument('a.ts', ['four'])], [])
    await writer.finish(2)
    expect(count()).toEqual({ texts: 1, vectors: 1 })
    expect(await reader.nearest('m', unit([1, 2]), {}, 10)).toHaveLength(1)
    await writer.commit([sampleDocument('b.ts', ['one', 'five'])], [sampleVectors('m', { five: [2, 1] })])
    expect((await writer.pending('m', 10)).chunks.map(({ text }) => text)).toEqual(['one'])
    expect(await reader.nearest('m', unit([1, 2]), {}, 10)).toHaveLength(2)
    expect(await storeIn(directory).check(true)).toEqual([])
    await reader.close()
    await writer.close()
  })

  it('gathers the blocks of many small commits', async () => {
    const directory = join(scratchDirectory(), 'index')
    const writer = await storeIn(directory).openWriter(IDENTITY)
    const reader = await storeIn(directory).openReader()
    for (let n = 0; n < 100; n++) {
      await writer.commit(
        [sampleDocument(`${n}.ts`, [`text ${n}`])],
        [sampleVectors('m', { [`text ${n}`]: [1, n] })],
      )
    }
    const before = await reader.nearest('m', unit([1, 50]), {}, 100)
    const blocks = (): unknown => select(directory, 'SELECT count(*) AS blocks FROM vector_blocks')[0]
    expect(blocks()).toEqual({ blocks: 100 })
    await writer.finish(1)
    expect(blocks()).toEqual({ blocks: 1 })
    expect(await reader.nearest('m', unit([1, 50]), {}, 100)).toEqual(before)
    await reader.close()
    await writer.close()
  })
})
