/** The transformer embedder: with the real models where their numbers matter, with tiny ones where faults are made. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onnxEmbedder } from '../../../dist/adapters/embedders/onnx.js'
import { type EmbedderSpec, embedderSpecs } from '../../../dist/adapters/embedders/specs.js'
import type { ModelFiles } from '../../../dist/adapters/models/model-files.js'
import type { Embedder } from '../../../dist/core/ports.js'
import { realModel } from '../models/real-model.js'
import { modelOnDisk, onnxBytes, tokenizerJson, tokenRows } from '../onnx/tiny-model.js'

const cosine = (a: Float32Array | null | undefined, b: Float32Array | null | undefined) =>
  a && b ? a.reduce((sum, value, column) => sum + value * (b[column] ?? 0), 0) : Number.NaN

const QUESTION = 'how are failed requests retried'
const FITTING =
  'def retry_request(request, attempts):\n    for attempt in range(attempts):\n        send(request)'
const OTHER = 'class Matrix:\n    def transpose(self):\n        return Matrix(zip(*self.rows))'

for (const name of ['all-MiniLM-L6-v2', 'bge-small-en-v1.5'] as const) {
  describe(name, () => {
    let files: ModelFiles
    let embedder: Embedder
    const spec = embedderSpecs[name] as EmbedderSpec
    beforeAll(async () => {
      files = await realModel(name)
      embedder = onnxEmbedder(files, spec, { maxTokens: 128 })
    })
    afterAll(() => embedder.close())

    it('has an identity of model, weights and token limit', () => {
      expect(embedder).toMatchObject({ id: `${name}/int8/128`, dimensions: 384 })
    })

    it('gives unit vectors in order and puts the fitting passage first', async () => {
      const [question] = await embedder.embed([QUESTION], 'question')
      const [other, fitting] = await embedder.embed([OTHER, FITTING], 'passage')
      expect(cosine(question, fitting)).toBeGreaterThan(cosine(question, other) + 0.1)
      for (const vector of [question, other, fitting]) expect(cosine(vector, vector)).toBeCloseTo(1, 5)
    })

    it('gives the same bytes alone and in company, in a process and in a thread, with one core and with two', async () => {
      const [alone] = await embedder.embed([FITTING], 'passage')
      const company = await embedder.embed([OTHER, FITTING, QUESTION.repeat(40), FITTING], 'passage')
      expect(company[1]).toEqual(alone)
      expect(company[3]).toEqual(alone)
      const thread = onnxEmbedder(files, spec, {
        maxTokens: 128,
        isolation: 'thread',
        threads: 1,
        workers: 2,
      })
      const again = await thread.embed([OTHER, FITTING, FITTING], 'passage')
      await thread.close()
      expect(again[1]).toEqual(alone)
      expect(again[2]).toEqual(alone)
    })

    it('cuts a long text at the limit', async () => {
      const words = 'alpha beta gamma delta '
      const [exact, longer] = await embedder.embed([words.repeat(40), words.repeat(40_000)], 'passage')
      expect(exact).toEqual(longer)
    })

    it('gives null for a text without words', async () => {
      expect(await embedder.embed(['', ' \n\t ', '\u0000'], 'question')).toEqual([null, null, null])
      expect(await embedder.embed([], 'passage')).toEqual([])
    })

    it('treats questions as the model wants it', async () => {
      const [question] = await embedder.embed([QUESTION], 'question')
      const [passage] = await embedder.embed([spec.questionPrefix + QUESTION], 'passage')
      expect(question).toEqual(passage)
    })
  })
}

it('leaves the event loop free while the model computes', async () => {
  const embedder = onnxEmbedder(await realModel('all-MiniLM-L6-v2'), embedderSpecs['all-MiniLM-L6-v2']!, {
    maxTokens: 256,
  })
  const texts = Array.from({ length: 30 }, (_, row) => `number ${row} ${'some words to read '.repeat(100)}`)
  await embedder.embed(texts.slice(0, 1), 'passage')
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  await embedder.embed(texts, 'passage')
  clearInterval(timer)
  await embedder.close()
  // A blocking runtime lets the timer run about once for each text.
  expect(ticks).toBeGreaterThan(texts.length * 3)
})

describe('a model that cannot be right', () => {
  const spec: EmbedderSpec = { dimensions: 4, pooling: 'mean', questionPrefix: '', mostTokens: 512 }
  const words = ['good', 'bad', 'endless', 'nothing']
  const tokens = tokenRows(4, [
    [1, 2, 3, 4],
    [Number.NaN, 0, 0, 0],
    [Number.POSITIVE_INFINITY, 1, 1, 1],
    [0, 0, 0, 0],
  ])
  const embedWith = async (files: ModelFiles, texts: string[], wanted = spec) => {
    const embedder = onnxEmbedder(files, wanted, { maxTokens: 16 })
    try {
      return await embedder.embed(texts, 'passage')
    } finally {
      await embedder.close()
    }
  }

  for (const pooling of ['mean', 'cls'] as const) {
    it(`gives NaN, Inf or zero: null for those texts and vectors for the others (${pooling})`, async () => {
      const rows = pooling === 'mean' ? tokens : tokens.slice()
      const files = await modelOnDisk(onnxBytes({ dimensions: 4, tokens: rows }), tokenizerJson(words))
      const vectors = await embedWith(files, ['good', 'bad', 'endless', 'nothing', 'good good'], {
        ...spec,
        pooling,
      })
      if (pooling === 'cls') expect(vectors).toEqual([null, null, null, null, null])
      else {
        expect(vectors.map(vector => vector !== null)).toEqual([true, false, false, false, true])
        expect(cosine(vectors[0], vectors[0])).toBeCloseTo(1, 6)
      }
    })
  }

  const whole = onnxBytes({ dimensions: 4, tokens })
  const damages: [string, Buffer | string, EmbedderSpec, RegExp][] = [
    ['has another dimension', whole, { ...spec, dimensions: 8 }, /dimension 4 instead of 8/],
    ['is truncated', whole.subarray(0, whole.length - 40), spec, /cannot be opened/],
    ['is no model', 'Not Found', spec, /cannot be opened/],
    ['is empty', '', spec, /cannot be opened/],
    [
      'is a cross-encoder',
      onnxBytes({ dimensions: 4, tokens, head: new Float32Array(4) }),
      spec,
      /no output/,
    ],
  ]
  for (const [what, bytes, wanted, message] of damages) {
    it(`${what}: MODEL_DAMAGED with the command to type`, async () => {
      const files = await modelOnDisk(bytes, tokenizerJson(words))
      await expect(embedWith(files, ['good'], wanted)).rejects.toMatchObject({
        code: 'MODEL_DAMAGED',
        message: expect.stringMatching(message),
        hint: 'quarry models verify',
      })
    })
  }

  it('has fewer tokens than its tokenizer: MODEL_DAMAGED', async () => {
    const files = await modelOnDisk(whole, tokenizerJson([...words, 'more', 'words']))
    await expect(embedWith(files, ['words'])).rejects.toMatchObject({ code: 'MODEL_DAMAGED' })
  })

  for (const [what, tokenizer] of [
    ['is no JSON', 'Not Found'],
    ['is something else', '{"a": 1}'],
  ] as const) {
    it(`has a tokenizer that ${what}: MODEL_DAMAGED`, async () => {
      const files = await modelOnDisk(whole, tokenizer)
      await expect(embedWith(files, ['good'])).rejects.toMatchObject({
        code: 'MODEL_DAMAGED',
        hint: 'quarry models verify',
      })
    })
  }

  it('is asked for more tokens than it has positions', async () => {
    const files = await modelOnDisk(whole, tokenizerJson(words))
    expect(() => onnxEmbedder(files, spec, { maxTokens: 513 })).toThrow(/3 to 512 tokens/)
    expect(() => onnxEmbedder(files, spec, { maxTokens: Number.NaN })).toThrow(/3 to 512 tokens/)
  })
})
