import { describe, expect, it } from 'vitest'
import { staticEmbedder } from '../../dist/adapters/embedders/static.js'
import { likenessTo } from '../../dist/retrieval/like-words.js'
import { readSpeakers } from '../../dist/retrieval/read-speakers.js'

describe('likenessTo', () => {
  it('knows forms of a word as the same, and like words by the table', async () => {
    const words = staticEmbedder()
    const texts = ['We painted', 'my children', 'a tax return', '']
    const rows = await likenessTo(['painting', 'kids'], texts, words)
    expect(rows[0]![0]).toBe(1)
    expect(rows[1]![1]).toBeGreaterThan(0.3)
    expect(Array.from(rows[2]!)).toEqual([0, 0])
    expect(Array.from(rows[3]!)).toEqual([0, 0])
    // Without the table only the same words are alike.
    const same = await likenessTo(['painting', 'kids'], texts.slice(0, 2), undefined)
    expect(same.map(row => Array.from(row))).toEqual([
      [1, 0],
      [0, 0],
    ])
    expect(await likenessTo([], texts, words)).toEqual([[], [], [], []])
  })
})

describe('readSpeakers', () => {
  it('finds who is named, in full or by a part of the name, and leaves the rest', () => {
    const { named, rest } = readSpeakers("What is Ada's plan for the summer?", ['Ada Byron', 'Ben'])
    expect(named).toEqual(['Ada Byron'])
    expect(rest).toBe('What is plan for the summer?')
    expect(readSpeakers('Ben', ['Ben']).rest).toBe('Ben')
    expect(readSpeakers('who benched it', ['Ben']).named).toEqual([])
  })
})
