import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { balanceKinds, moodOf } from '../../dist/ranking/balance-kinds.js'

const hits = (kind: 'code' | 'hunk', ...scores: readonly number[]) =>
  scores.map((score, at) => ({ id: `${kind} ${at}`, kind, score, explain: [] }))

describe('balanceKinds', () => {
  it('hears what a question is about', () => {
    for (const question of ['why was the timeout changed', 'when did this break', 'who added the cache'])
      expect(moodOf(question), question).toBe('past')
    for (const question of ['crash on empty input', 'headers are wrong', 'cookies are missing'])
      expect(moodOf(question), question).toBe('trouble')
    for (const question of ['where are cookies parsed', 'retry with backoff'])
      expect(moodOf(question), question).toBe('present')
  })

  it('puts code first for what is, and commits first for what was', () => {
    const lists = [hits('code', 0.8, 0.6), hits('hunk', 0.6, 0.5)]
    expect(balanceKinds(lists, 'where are cookies parsed')[0]!.kind).toBe('code')
    expect(balanceKinds(lists, 'why was cookie parsing changed')[0]!.kind).toBe('hunk')
  })

  it('keeps the order within a kind, loses nothing, and explains itself', () => {
    const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 10 })
    fc.assert(
      fc.property(scores, scores, fc.string(), (code, hunk, question) => {
        const balanced = balanceKinds([hits('code', ...code), hits('hunk', ...hunk)], question)
        expect(balanced).toHaveLength(code.length + hunk.length)
        for (const kind of ['code', 'hunk']) {
          const own = balanced.filter(hit => hit.kind === kind).map(({ id }) => id)
          expect(own).toEqual(own.map((_, at) => `${kind} ${at}`))
        }
        for (const { score, explain } of balanced) expect(explain.at(-1)).toMatchObject({ score })
      }),
    )
  })

  it('looks for what people said in the notes first', () => {
    const lists = (['code', 'hunk', 'note'] as const).map(kind => [{ kind, score: 0.8 }])
    expect(balanceKinds(lists, 'what did we decide about retries')[0]!.kind).toBe('note')
    expect(balanceKinds(lists, 'parse the header of a request')[0]!.kind).toBe('code')
  })
})
