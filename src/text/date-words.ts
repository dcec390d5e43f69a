/** Days, months and years that a question names, whatever year it is asked in: "in May" is every May. */

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
] as const

/** Each empty where the question names none. Months from 0. */
export interface NamedDates {
  readonly days: readonly number[]
  readonly months: readonly number[]
  readonly years: readonly number[]
}

export const namedDates = (question: string): NamedDates => {
  const text = question.toLowerCase()
  const months = [...text.matchAll(/[a-z]+/g)].flatMap(({ 0: word, index }) => {
    const month = MONTHS.findIndex(name => name === word || (word.length === 3 && name.startsWith(word)))
    return month === -1 || !isMonth(word, text.slice(0, index), text.slice(index + word.length))
      ? []
      : [month]
  })
  const years = [...text.matchAll(/\b(?:19|20)\d\d\b/g)].map(([year]) => Number(year))
  // A number is a day only beside a month.
  const days = months.length === 0 ? [] : [...text.matchAll(/\b(\d{1,2})(?:st|nd|rd|th)?\b/g)]
  return { months, years, days: days.map(([, day]) => Number(day)).filter(day => day >= 1 && day <= 31) }
}

/** `may`, `march` and `mar` are other words too: then a preposition or a number must stand beside them. */
const isMonth = (word: string, before: string, after: string): boolean =>
  !/^mar?(?:y|ch|r)?$/.test(word) ||
  /(?:\b(?:in|of|on|by|since|until|early|late|mid|last|this|next)|\d(?:st|nd|rd|th)?)[\s-]*$/.test(before) ||
  /^\s+\d/.test(after)

const TIME_WORDS =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|since|recently|weekend|week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|\d+)\b/i

/** Whether a text says when something is, was or will be. */
export const saysWhen = (text: string): boolean => TIME_WORDS.test(text)

const ASKS_WHEN =
  /^\s*(?:when|how long|since when|(?:on|in)? ?(?:what|which) (?:day|date|month|year|week))\b/i

export const asksWhen = (question: string): boolean => ASKS_WHEN.test(question)
