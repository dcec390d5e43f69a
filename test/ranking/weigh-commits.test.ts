import { describe, expect, it } from 'vitest'
import type { Candidate, Signals } from '../../dist/core/questions.js'
import { weighCommits } from '../../dist/ranking/weigh-commits.js'

const candidate = (message: string, signals: Partial<Signals>): Candidate => ({
  chunk: {
    ...{ id: 1, digest: message, kind: 'hunk', path: message, document: message, language: 'diff', time: 0 },
    ...{ embeddingHash: null, ordinal: 0, siblings: 1, startLine: 1, endLine: 1, text: message, header: '' },
    ...{ symbols: [], commit: { sha: message, author: '', email: '', authored: 0, committed: 0, message } },
  },
  score: 0.5,
  ledger: [],
  signals: { ranks: {}, strengths: {}, cosines: {}, ...signals },
})

const order = (...candidates: readonly Candidate[]) =>
  weighCommits(candidates, { titleTerms: [{ token: 'retry', weight: 1, rarity: 2 }] }).map(
    ({ chunk }) => chunk.document,
  )

describe('weighCommits', () => {
  it('sums how far ahead a commit is in each lane', () => {
    const both = candidate('both', { strengths: { text: 0.9 }, cosines: { model: 0.6 } })
    const text = candidate('text', { strengths: { text: 1 }, cosines: { model: 0.1 } })
    const vector = candidate('vector', { strengths: {}, cosines: { model: 0.7 } })
    expect(order(vector, text, both)).toEqual(['both', 'text', 'vector'])
  })

  it('leans towards fixes, commits that name an issue, and those that say the title', () => {
    const same = { strengths: { text: 0.5 } }
    expect(order(candidate('tidy', same), candidate('fix it', same))[0]).toBe('fix it')
    expect(order(candidate('tidy', same), candidate('tidy (#42)', same))[0]).toBe('tidy (#42)')
    expect(order(candidate('tidy', same), candidate('retry more', same))[0]).toBe('retry more')
  })

  it('listens to a model alone where there is one, else to the static table with less weight', () => {
    const model = candidate('model', { cosines: { 'static-128/x': 0.9, 'mini/y': 0.2 } })
    const table = candidate('table', { cosines: { 'static-128/x': 0.5 } })
    expect(order(model, table)).toEqual(['table', 'model'])
  })

  it('writes into the ledger what it did, with the score it left', () => {
    const [first] = weighCommits([candidate('fix retry', { strengths: { text: 1 } })], { titleTerms: [] })
    expect(first!.ledger.at(-1)).toMatchObject({ stage: 'priors', score: first!.score })
    expect(first!.ledger.at(-1)!.why).toContain('text 1.00 + fix 0.05')
  })
})
