import { describe, expect, it } from 'vitest'
import { asksWhen, namedDates, saysWhen } from '../../dist/text/date-words.js'

describe('namedDates', () => {
  it.each([
    ['what did she buy on 11 December, 2023', { days: [11], months: [11], years: [2023] }],
    ['the talk of May 3rd', { days: [3], months: [4], years: [] }],
    ['what happened in may', { days: [], months: [4], years: [] }],
    ['who may enter the lab', { days: [], months: [], years: [] }],
    ['how does the march of progress end', { days: [], months: [], years: [] }],
    ['the report of Mar 2022', { days: [], months: [2], years: [2022] }],
    ['12 reasons, 2019', { days: [], months: [], years: [2019] }],
  ])('%s', (question, dates) => expect(namedDates(question)).toEqual(dates))

  it('is not taken in by numbers that are no days', () =>
    expect(namedDates('room 45 in June').days).toEqual([]))
})

describe('when', () => {
  it('knows a question for a time, and a text that says one', () => {
    expect(['When did it break?', 'how long was she away', 'What day is it'].every(asksWhen)).toBe(true)
    expect(['What happened when it broke?', 'Whenever'].some(asksWhen)).toBe(false)
    expect(['I went there last week', 'it was 2019', 'on Monday'].every(saysWhen)).toBe(true)
    expect(saysWhen('I went there with a friend')).toBe(false)
  })
})
