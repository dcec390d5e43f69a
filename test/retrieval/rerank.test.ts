import { describe, expect, it } from 'vitest'
import { rerank } from '../../dist/retrieval/rerank.js'

const candidate = (path: string, score: number) => ({
  chunk: { path, header: path, text: path } as never,
  score,
  ledger: [],
  signals: { ranks: {}, strengths: {}, cosines: {} },
})
const plan = (weight: number, enabled = true) =>
  ({ question: 'q', settings: { rerank: { enabled, weight, model: '' } } }) as never
const reranker = (scores: Record<string, number>, mostTexts = 10) => ({
  id: 'scripted',
  mostTexts,
  score: async (_: string, texts: readonly string[]) => texts.map(text => scores[text.split('\n')[0]!] ?? 0),
  close: async () => {},
})
const order = (result: { candidates: readonly { chunk: { path: string } }[] }) =>
  result.candidates.map(({ chunk }) => chunk.path)

describe('rerank', () => {
  const candidates = [candidate('a', 0.99), candidate('b', 0.98), candidate('c', 0.97)]

  it('is the identity when it is off, weightless or without a model', async () => {
    const model = reranker({ c: 9 })
    expect((await rerank(candidates, null, plan(1))).candidates).toBe(candidates)
    expect((await rerank(candidates, model, plan(0))).candidates).toBe(candidates)
    expect((await rerank(candidates, model, plan(1, false))).candidates).toBe(candidates)
  })

  it('replaces the order at weight 1 and blends below', async () => {
    const model = reranker({ a: -5, b: 0, c: 5 })
    expect(order(await rerank(candidates, model, plan(1)))).toEqual(['c', 'b', 'a'])
    expect(order(await rerank(candidates, model, plan(0.1)))).toEqual(['a', 'b', 'c'])
  })

  it('does not overturn a clear first, however near to one the sigmoid has brought the others', async () => {
    const pool = [0.9999, 0.99, 0.98, 0.5, 0.5].map((score, at) => candidate('abcde'[at]!, score))
    expect(order(await rerank(pool, reranker({ b: 1 }), plan(0.25)))[0]).toBe('a')
    expect(order(await rerank(pool, reranker({ b: 1 }), plan(0.6)))[0]).toBe('b')
  })

  it('keeps scores positive, and what was not read below what was, whatever the scales', async () => {
    const { candidates: ranked } = await rerank(candidates, reranker({ a: -900, b: -100 }, 2), plan(1))
    expect(ranked.map(({ chunk }) => chunk.path)).toEqual(['b', 'a', 'c'])
    const scores = ranked.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((x, y) => y - x))
    expect(Math.min(...scores)).toBeGreaterThan(0)
    for (const { ledger, score } of ranked) expect(ledger.at(-1)).toMatchObject({ stage: 'rerank', score })
  })

  it('reads more of short turns than of other texts, and leaves the speakers out of the question', async () => {
    const asked: string[] = []
    const model = {
      ...reranker({ c: 9 }, 1),
      score: async (question: string, texts: readonly string[]) => {
        asked.push(question)
        return texts.map(text => (text.startsWith('c') ? 9 : 0))
      },
    }
    const notes = { ...(plan(1) as object), source: 'note', passages: ['what was said'] } as never
    expect(order(await rerank(candidates, model, notes))[0]).toBe('c')
    expect(asked).toEqual(['what was said'])
    expect(order(await rerank(candidates, model, plan(1)))[0]).toBe('a')
  })

  it('carries on with a warning when the model fails', async () => {
    const broken = { ...reranker({}), score: () => Promise.reject(new Error('out of memory')) }
    const result = await rerank(candidates, broken, plan(1))
    expect(result.candidates).toBe(candidates)
    expect(result.warnings[0]).toMatchObject({
      code: 'RERANK_FAILED',
      message: expect.stringContaining('out of memory'),
    })
  })
})
