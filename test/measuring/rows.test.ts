import { expect, it } from 'vitest'
import { chooseQuestions } from '../../dist/measuring/choose-questions.js'
import { rowsOf } from '../../dist/measuring/rows.js'

const nothing = {
  ...{
    profiles: [],
    multiHop: false,
    multiQuery: false,
    ablate: false,
    strategies: [],
    variations: [],
    expanders: [],
  },
  isReplayed: false,
} as const

const names = (comparison: Partial<Parameters<typeof rowsOf>[0]>): readonly string[] =>
  rowsOf({ ...nothing, ...comparison }).map(({ name }) => name)

it('a row for each thing that was asked for, the question alone first', () => {
  expect(names({})).toEqual(['single query'])
  expect(names({ multiQuery: true })).toEqual(['single query', 'multi-query'])
  expect(names({ ablate: true })).toEqual([
    ...['single query', 'multi-query', 'paraphrase', 'entity', 'step-back', 'decompose', 'all strategies'],
  ])
  expect(names({ expanders: ['local', 'openai'], variations: [2, 4], strategies: [['entity']] })).toEqual([
    'single query',
    'local words, 2 variations',
    'local words, 4 variations',
    'openai: entity, 2 variations',
    'openai: entity, 4 variations',
  ])
  expect(rowsOf({ ...nothing, isReplayed: true })[1]!.overrides).toEqual({
    'multiQuery.enabled': true,
    'expander.kind': 'openai',
  })
})

it('a sample is the same each time, of what can be asked, and no larger than that', () => {
  const questions = Array.from({ length: 50 }, (_, number) => ({ id: `q${number}`, text: `text ${number}` }))
  const sample = chooseQuestions(questions, 10)
  expect(sample.size).toBe(10)
  expect([...sample]).toEqual([...chooseQuestions(questions, 10)])
  // A larger sample holds the smaller one.
  expect([...chooseQuestions(questions, 20)].slice(0, 10)).toEqual([...sample])
  expect(chooseQuestions(questions, 99).size).toBe(50)
  expect([...chooseQuestions(questions, undefined, text => text.endsWith('7'))].sort()).toEqual([
    ...['q17', 'q27', 'q37', 'q47', 'q7'],
  ])
})
