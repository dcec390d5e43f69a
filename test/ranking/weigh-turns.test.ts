import { describe, expect, it } from 'vitest'
import type { Candidate, HeardTurn, Signals } from '../../dist/core/questions.js'
import { TURN_FEATURES, type TurnFeature, turnFeatures } from '../../dist/ranking/turn-features.js'
import { weighTurns } from '../../dist/ranking/weigh-turns.js'

const signals = (text: number, cosine?: number): Signals => ({
  ...{ ranks: text > 0 ? { text: 1 } : {}, strengths: text > 0 ? { text } : {} },
  cosines: cosine === undefined ? {} : { 'model/x': cosine, 'static-128/y': cosine },
})

const turn = (text: string, own = signals(0), likeness: readonly number[] = []): HeardTurn => ({
  ...{ text, signals: own, likeness },
})

interface Told {
  readonly before?: HeardTurn
  readonly after?: HeardTurn
  readonly speaker?: string
  readonly time?: string
  readonly session?: string
}

const candidate = (
  own: HeardTurn,
  { before, after, speaker, time, session = 'one' }: Told = {},
): Candidate => ({
  chunk: {
    ...{ id: 1, digest: own.text, kind: 'note', path: session, document: session, language: 'conversation' },
    ...{ time: Date.parse(time ?? '2024-01-01'), embeddingHash: null, ordinal: 0, siblings: 1 },
    ...{ startLine: 1, endLine: 1, text: own.text, header: '' },
    symbols: speaker ? [{ name: speaker, kind: 'speaker', qualifiedName: speaker, line: 1 }] : [],
  },
  ...{ score: 0.5, ledger: [], signals: own.signals },
  surroundings: { own, before: before ?? null, after: after ?? null, earlier: null },
})

const asked = (question: string, speakers: readonly string[] = []) => ({
  ...{ question, speakers, contentWords: ['certificate'], contentRarities: [2] },
})

const first = (question: ReturnType<typeof asked>, ...candidates: readonly Candidate[]) =>
  weighTurns(candidates, question)[0]!.chunk.text

const feature = (name: TurnFeature, question: ReturnType<typeof asked>, of: Candidate) =>
  turnFeatures([of], question)[0]![TURN_FEATURES.indexOf(name)]

describe('weighTurns', () => {
  it('finds the answer behind the question that it answers', () => {
    const question = turn('Who renewed the certificate?', signals(0.6, 0.6), [1])
    const answer = candidate(turn('I did, yesterday.', signals(0.3, 0.1), [0]), { before: question })
    const other = candidate(turn('I saw it, somewhere.', signals(0.3, 0.1), [0]))
    expect(first(asked('who renewed the certificate'), other, answer)).toBe('I did, yesterday.')
  })

  it('leans towards the speaker that the question names, if it names one', () => {
    const own = () => turn('The certificate is new.', signals(0.5, 0.5), [1])
    const ada = candidate(own(), { speaker: 'Ada' })
    const ben = candidate({ ...own(), text: 'The certificate is new!' }, { speaker: 'Ben' })
    expect(first(asked('what did Ben say of the certificate', ['Ben']), ada, ben)).toBe(
      'The certificate is new!',
    )
    expect(feature('speaker', asked('Ada and Ben', ['Ada', 'Ben']), ada)).toBe(0.5)
  })

  it('leans towards the day and month that the question names, and to what says when if asked when', () => {
    const may = candidate(turn('a', signals(0.5)), { time: '2023-05-08T10:00:00Z' })
    const june = candidate(turn('b', signals(0.5)), { time: '2023-06-08T10:00:00Z' })
    expect(first(asked('what was said in May'), june, may)).toBe('a')
    expect(feature('month', asked('what was said in May 2022'), may)).toBe(0)
    expect(feature('day', asked('what was said on 8 May'), may)).toBe(1)
    expect(feature('day', asked('what was said on 9 May'), may)).toBe(0)
    const dated = candidate(turn('I moved last week', signals(0.5)))
    expect(first(asked('when did she move'), candidate(turn('I moved house', signals(0.5))), dated)).toBe(
      'I moved last week',
    )
  })

  it('says in the ledger what counted, and keeps scores between 0 and 1', () => {
    const [best] = weighTurns([candidate(turn('x', signals(1, 0.9), [1]))], asked('certificate'))
    expect(best!.score).toBeGreaterThan(0)
    expect(best!.score).toBeLessThan(1)
    expect(best!.ledger.at(-1)).toMatchObject({ stage: 'priors', score: best!.score })
    expect(best!.ledger.at(-1)!.why).toContain('text')
  })

  it('ranks notes that nobody heard around, as first results are', () => {
    const { surroundings: _, ...bare } = candidate(turn('x', signals(0.5)))
    expect(weighTurns([bare], asked('x'))).toHaveLength(1)
    expect(weighTurns([], asked('x'))).toEqual([])
  })
})
