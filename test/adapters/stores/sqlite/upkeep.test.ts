/** What the store counts and tidies after each run, however many chunks there are: exact, and not the whole index each time. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainScoring, sampleDocument, sampleVectors } from '../../../../dist/testing/index.js'
import { select } from './raw.js'
import { IDENTITY, scratchDirectory, storeIn } from './scratch.js'

const TEXTS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
const text = fc.constantFrom(...TEXTS)
const step = fc.oneof(
  fc.record({
    put: fc.constantFrom('a.ts', 'b.ts', 'c.ts'),
    texts: fc.array(text, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ remove: fc.constantFrom('a.ts', 'b.ts', 'c.ts') }),
  fc.record({ embed: fc.array(text, { maxLength: 5 }), by: fc.constantFrom('m', 'n'), fails: fc.boolean() }),
  fc.constant({ finish: true }),
)

/** One chunk at a time. */
const COUNT = `
  SELECT embedders.name, count(chunks.embedding) AS chunks, sum(chunks.embedding AND usable = 1) AS done,
    sum(chunks.embedding AND usable = 0) AS hopeless
  FROM embedders LEFT JOIN chunks ON true
  LEFT JOIN embedded ON embedded.embedder = embedders.id AND embedded.embedding = chunks.embedding
  GROUP BY embedders.id`

const share = (row: Record<string, unknown>): [name: string, share: number] => {
  const [chunks, done, hopeless] = [Number(row.chunks), Number(row.done), Number(row.hopeless)]
  return [String(row.name), chunks === hopeless ? 1 : done / (chunks - hopeless)]
}

test('the shares of vectors are those that a count of every chunk gives, whatever happened before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
      const directory = scratchDirectory()
      const store = storeIn(directory)
      const writer = await store.openWriter(IDENTITY)
      const reader = await store.openReader()
      for (const next of steps) {
        if ('put' in next) await writer.commit([sampleDocument(next.put, next.texts)], [])
        else if ('remove' in next) await writer.remove('code', [next.remove])
        else if ('embed' in next) {
          const vector = next.fails ? null : [1, 0, 0, 0]
          await writer.saveVectors(
            sampleVectors(next.by, Object.fromEntries(next.embed.map(word => [word, vector]))),
          )
        } else await writer.finish(1000)
        expect((await reader.state()).vectors).toEqual(
          Object.fromEntries(select(directory, COUNT).map(share)),
        )
      }
      await reader.close()
      await writer.close()
    }),
    { numRuns: 60 },
  )
})

test('many small edits leave few segments of words, and hardly ever write the large one anew', async () => {
  const directory = scratchDirectory()
  const store = storeIn(directory)
  const writer = await store.openWriter(IDENTITY)
  const crowd = Array.from({ length: 400 }, (_, file) =>
    sampleDocument(
      `crowd${file}.ts`,
      Array.from({ length: 5 }, (_, chunk) => `word${file} other${chunk} third${file * chunk}`),
    ),
  )
  for (const document of crowd) await writer.commit([document], [])
  await writer.finish(1000)
  const segments = () =>
    select(directory, 'SELECT segid, count(*) AS pages FROM words_idx GROUP BY segid ORDER BY pages DESC')
  let largest = segments()[0]
  let rewritten = 0
  for (let edit = 0; edit < 40; edit++) {
    await writer.commit([sampleDocument('edited.ts', [`edited${edit} again`])], [])
    await writer.finish(1000 + edit)
    const now = segments()
    expect(now.length).toBeLessThanOrEqual(7)
    if (now[0]!.segid !== largest!.segid) rewritten++
    largest = now[0]
  }
  expect(rewritten).toBeLessThanOrEqual(2)
  const reader = await store.openReader()
  const scoring = plainScoring({ body: 1 })
  for (const [word, count] of [
    ['edited39', 1],
    ['edited38', 0],
    ['word7', 5],
  ] as const)
    expect(await reader.matchTerms([{ token: word, weight: 1 }], scoring, {}, 10)).toHaveLength(count)
  await reader.close()
  await writer.close()
})
