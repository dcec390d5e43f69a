/** Both rerankers: the real loading code on tiny models whose scores can be worked out by hand, and MaxSim on a real one. */

import { describe, expect, it } from 'vitest'
import { onnxEmbedder } from '../../../dist/adapters/embedders/onnx.js'
import { embedderSpecs } from '../../../dist/adapters/embedders/specs.js'
import type { ModelFiles } from '../../../dist/adapters/models/model-files.js'
import { crossEncoder } from '../../../dist/adapters/rerankers/cross-encoder.js'
import { lateInteraction } from '../../../dist/adapters/rerankers/late-interaction.js'
import type { Reranker } from '../../../dist/core/ports.js'
import { realModel } from '../models/real-model.js'
import { modelOnDisk, onnxBytes, tokenizerJson, tokenRows } from '../onnx/tiny-model.js'

const words = ['apple', 'pear', 'plum', 'stone', '.', 'broken']
const tokens = tokenRows(2, [
  [1, 0],
  [0.8, 0.6],
  [0, 1],
  [-1, 0],
  [0, 9],
  [Number.NaN, 0],
])

async function scored(reranker: Reranker, question: string, texts: readonly string[]): Promise<number[]> {
  try {
    return await reranker.score(question, texts)
  } finally {
    await reranker.close()
  }
}

describe('late interaction', () => {
  const open = async () =>
    lateInteraction(await modelOnDisk(onnxBytes({ dimensions: 2, tokens }), tokenizerJson(words)), {
      dimensions: 2,
    })

  it('gives each word of the question its best match, on average', async () => {
    const scores = await scored(await open(), 'apple plum', [
      'apple',
      'pear',
      'plum apple',
      'stone',
      'pear stone plum',
    ])
    const expected = [(1 + 0) / 2, (0.8 + 0.6) / 2, 1, (-1 + 0) / 2, (0.8 + 1) / 2]
    for (const [position, score] of scores.entries())
      expect(score).toBeCloseTo(expected[position] as number, 5)
  })

  it('looks past punctuation and special tokens', async () => {
    const [plain, dotted] = await scored(await open(), 'apple.', ['pear', 'pear . .'])
    expect(plain).toBeCloseTo(0.8, 5)
    expect(dotted).toBeCloseTo(0.8, 5)
  })

  it('gives the worst score to a text without words, and none for no texts', async () => {
    expect(await scored(await open(), 'apple', ['', '...', 'broken'])).toEqual([-1, -1, -1])
    expect(await scored(await open(), 'apple', [])).toEqual([])
  })

  it('puts the fitting passage first with a real model, beside an embedder that shares its worker', async () => {
    const files = await realModel('all-MiniLM-L6-v2')
    const embedder = onnxEmbedder(files, embedderSpecs['all-MiniLM-L6-v2']!, { maxTokens: 128 })
    const reranker = lateInteraction(files)
    expect(reranker.id).toBe('late-interaction/all-MiniLM-L6-v2/int8/128')
    const question = 'parse a date from a string'
    const texts = [
      'def close(self): self.socket.close()',
      'def parse_date(text): return strptime(text, "%Y-%m-%d")',
    ]
    const [vectors, scores] = await Promise.all([
      embedder.embed(texts, 'passage'),
      reranker.score(question, texts),
    ])
    expect(scores[1]).toBeGreaterThan(scores[0] as number)
    await reranker.close()
    expect(await embedder.embed(texts, 'passage')).toEqual(vectors)
    await embedder.close()
  })
})

describe('cross-encoder', () => {
  // logit = mean over all tokens of (row + type row) · head, special tokens included with a row of zeros.
  const types = Float32Array.of(0, 0, 10, 0)
  const head = Float32Array.of(1, 100)
  const model = onnxBytes({ dimensions: 2, tokens, types, head })
  const open = async (maxTokens?: number) =>
    crossEncoder(await modelOnDisk(model, tokenizerJson(words)), maxTokens ? { maxTokens } : {})

  it('reads question and text together, with their token types', async () => {
    const [plum, stone] = await scored(await open(), 'apple', ['plum', 'stone'])
    // [CLS] apple [SEP] plum [SEP]: 1 from apple, 100 + 10 from plum, 10 from the last separator.
    expect(plum).toBeCloseTo((1 + 100 + 10 + 10) / 5, 4)
    expect(stone).toBeCloseTo((1 - 1 + 10 + 10) / 5, 4)
  })

  it('cuts the text and keeps the question', async () => {
    const [score] = await scored(await open(8), 'apple', [`${'stone '.repeat(100)}plum`])
    // [CLS] apple [SEP] and then four of the stones and [SEP].
    expect(score).toBeCloseTo((1 + 4 * (10 - 1) + 10) / 8, 4)
  })

  it('never gives out a number that cannot be compared', async () => {
    expect(await scored(await open(), 'apple', ['broken', 'plum'])).toEqual([-100, expect.any(Number)])
    expect(await scored(await open(), 'apple', [])).toEqual([])
  })

  it('works with tokenizers of other families', async () => {
    const names = ['<s>', '<pad>', '</s>', '<unk>', '<mask>', ...words.map(word => `\u2581${word}`)]
    const tokenizer = {
      version: '1.0',
      added_tokens: names
        .slice(0, 5)
        .map((content, id) => ({ id, content, special: true, normalized: false })),
      normalizer: null,
      pre_tokenizer: {
        type: 'Metaspace',
        replacement: '\u2581',
        add_prefix_space: true,
        prepend_scheme: 'always',
      },
      post_processor: { type: 'RobertaProcessing', sep: ['</s>', 2], cls: ['<s>', 0], trim_offsets: true },
      decoder: { type: 'Metaspace', replacement: '\u2581', add_prefix_space: true },
      model: { type: 'Unigram', unk_id: 3, vocab: names.map(name => [name, name.startsWith('<') ? 0 : -1]) },
    }
    const [score] = await scored(crossEncoder(await modelOnDisk(model, tokenizer)), 'apple', ['plum'])
    // <s> apple </s> </s> plum </s>, all of type 0.
    expect(score).toBeCloseTo((1 + 100) / 6, 4)
  })

  it('is cancelled by its signal', async () => {
    const reranker = await open()
    const scores = reranker.score('apple', Array<string>(50).fill('plum'), AbortSignal.abort())
    await expect(scores).rejects.toMatchObject({ code: 'CANCELLED' })
    await reranker.close()
  })
})

describe('a reranker whose files are wrong', () => {
  const cross = onnxBytes({ dimensions: 2, tokens, head: Float32Array.of(1, 1) })
  const hidden = onnxBytes({ dimensions: 2, tokens })
  const cases: [string, (files: ModelFiles) => Reranker, Buffer | string, object | string][] = [
    ['a truncated cross-encoder', crossEncoder, cross.subarray(0, -20), tokenizerJson(words)],
    ['an embedding model as cross-encoder', crossEncoder, hidden, tokenizerJson(words)],
    ['a web page as model', crossEncoder, '<html>Sign in</html>', tokenizerJson(words)],
    ['a web page as tokenizer', crossEncoder, cross, '<html>Sign in</html>'],
    ['token vectors of another size', lateInteraction, hidden, tokenizerJson(words)],
    ['a cross-encoder for late interaction', lateInteraction, cross, tokenizerJson(words)],
  ]
  for (const [what, open, model, tokenizer] of cases) {
    it(`${what}: MODEL_DAMAGED with the command to type`, async () => {
      const reranker = open(await modelOnDisk(model, tokenizer))
      await expect(scored(reranker, 'apple', ['plum'])).rejects.toMatchObject({
        code: 'MODEL_DAMAGED',
        hint: 'quarry models verify',
      })
    })
  }
})
