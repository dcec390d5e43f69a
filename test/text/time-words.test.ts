import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTimeWords } from '../../dist/text/time-words.js'

/** A Thursday. */
const now = Date.UTC(2024, 4, 16, 12, 30)
const read = (question: string) => readTimeWords(question, now)

/** `2024-05-01` for the first millisecond of a day, `2024-05-01!` for the last, else the full time. */
const shown = (moment: number | undefined): string => {
  if (moment === undefined) return ''
  const iso = new Date(moment).toISOString()
  if (iso.endsWith('T00:00:00.000Z')) return iso.slice(0, 10)
  return iso.endsWith('T23:59:59.999Z') ? `${iso.slice(0, 10)}!` : iso.slice(0, 16)
}

const POSITIVE: readonly [question: string, phrase: string, since: string, until: string, rest: string][] = [
  ['who changed the parser last week', 'last week', '2024-05-06', '2024-05-12!', 'who changed the parser'],
  [
    'who changed the parser last month?',
    'last month',
    '2024-04-01',
    '2024-04-30!',
    'who changed the parser?',
  ],
  ['retry changes last quarter', 'last quarter', '2024-01-01', '2024-03-31!', 'retry changes'],
  ['Last year, how did login work?', 'Last year', '2023-01-01', '2023-12-31!', 'how did login work?'],
  ['what broke retries past week', 'past week', '2024-05-09T12:30', '', 'what broke retries'],
  ['fixes in the past month', 'in the past month', '2024-04-16T12:30', '', 'fixes'],
  ['over the last year who touched auth', 'over the last year', '2023-05-16T12:30', '', 'who touched auth'],
  ['commits this week', 'this week', '2024-05-13', '', 'commits'],
  ['what did we delete this month', 'this month', '2024-05-01', '', 'what did we delete'],
  ['dependency bumps this year', 'this year', '2024-01-01', '', 'dependency bumps'],
  ['what broke the build yesterday', 'yesterday', '2024-05-15', '2024-05-15!', 'what broke the build'],
  ['what was committed today', 'today', '2024-05-16', '2024-05-16!', 'what was committed'],
  ["yesterday's commits to the cache", "yesterday's", '2024-05-15', '2024-05-15!', 'commits to the cache'],
  ["last month's changes in billing", "last month's", '2024-04-01', '2024-04-30!', 'changes in billing'],
  ['parser fix 3 days ago', '3 days ago', '2024-05-13T00:30', '2024-05-14T00:30', 'parser fix'],
  [
    'refactoring two weeks ago by Ada',
    'two weeks ago',
    '2024-04-29T00:30',
    '2024-05-06T00:30',
    'refactoring by Ada',
  ],
  ['who added this a year ago', 'a year ago', '2022-11-15T00:30', '2023-11-15T00:30', 'who added this'],
  ['changes since 2 weeks ago', 'since 2 weeks ago', '2024-05-02T12:30', '', 'changes'],
  ['how was it done before 2 years ago', 'before 2 years ago', '', '2022-05-16T12:30', 'how was it done'],
  ['commits in the last 30 days', 'in the last 30 days', '2024-04-16T12:30', '', 'commits'],
  [
    'what changed in the past two months in auth',
    'in the past two months',
    '2024-03-16T12:30',
    '',
    'what changed in auth',
  ],
  [
    'schema changes within the last 6 months',
    'within the last 6 months',
    '2023-11-16T12:30',
    '',
    'schema changes',
  ],
  ['timeouts changed since March', 'since March', '2024-03-01', '', 'timeouts changed'],
  ['since june who touched the lexer', 'since june', '2023-06-01', '', 'who touched the lexer'],
  ['since March 2021 the retry logic', 'since March 2021', '2021-03-01', '', 'the retry logic'],
  ['since 2019 changes to the grammar', 'since 2019', '2019-01-01', '', 'changes to the grammar'],
  ['logging since 2019', 'since 2019', '2019-01-01', '', 'logging'],
  ['logging since 2021-03-04', 'since 2021-03-04', '2021-03-04', '', 'logging'],
  ['how did auth work before May 2020', 'before May 2020', '', '2020-04-30!', 'how did auth work'],
  ['how did auth look until June', 'until June', '', '2023-06-30!', 'how did auth look'],
  [
    'cache rewrites between 2019 and 2021',
    'between 2019 and 2021',
    '2019-01-01',
    '2021-12-31!',
    'cache rewrites',
  ],
  ['fixes between March and May 2021', 'between March and May 2021', '2021-03-01', '2021-05-31!', 'fixes'],
  ['work on http from 2019 to 2020', 'from 2019 to 2020', '2019-01-01', '2020-12-31!', 'work on http'],
  ['how was caching done in 2020', 'in 2020', '2020-01-01', '2020-12-31!', 'how was caching done'],
  ['In 2020, why did we drop python 2?', 'In 2020', '2020-01-01', '2020-12-31!', 'why did we drop python 2?'],
  ['crash fixed in May 2021', 'in May 2021', '2021-05-01', '2021-05-31!', 'crash fixed'],
  ['crash fixed in May', 'in May', '2024-05-01', '2024-05-31!', 'crash fixed'],
  ['crash fixed in december', 'in december', '2023-12-01', '2023-12-31!', 'crash fixed'],
  ['crash fixed in Dec', 'in Dec', '2023-12-01', '2023-12-31!', 'crash fixed'],
  ['who rewrote it last May', 'last May', '2023-05-01', '2023-05-31!', 'who rewrote it'],
  ['who rewrote it last March', 'last March', '2024-03-01', '2024-03-31!', 'who rewrote it'],
  ['async rewrite early 2020', 'early 2020', '2020-01-01', '2020-04-30!', 'async rewrite'],
  ['async rewrite in late 2019', 'in late 2019', '2019-09-01', '2019-12-31!', 'async rewrite'],
  ['flaky tests removed after 2022', 'after 2022', '2023-01-01', '', 'flaky tests removed'],
  [
    'revert on March 4, 2021 in storage',
    'on March 4, 2021',
    '2021-03-04',
    '2021-03-04!',
    'revert in storage',
  ],
  [
    'changes from May 2021 to the lexer',
    'from May 2021',
    '2021-05-01',
    '2021-05-31!',
    'changes to the lexer',
  ],
  ['commits for last week', 'for last week', '2024-05-06', '2024-05-12!', 'commits'],
  ['the regressions of last month', 'of last month', '2024-04-01', '2024-04-30!', 'the regressions'],
  ['release notes April 2024', 'April 2024', '2024-04-01', '2024-04-30!', 'release notes'],
]

const TAGS: readonly [question: string, phrase: string, after: string, before: string, rest: string][] = [
  ['what changed after v1.2', 'after v1.2', 'v1.2', '', 'what changed'],
  ['how was routing done before v2', 'before v2', '', 'v2', 'how was routing done'],
  [
    'breaking changes since v2.0.1 in the client',
    'since v2.0.1',
    'v2.0.1',
    '',
    'breaking changes in the client',
  ],
  ['what changed between v1 and v2?', 'between v1 and v2', 'v1', 'v2', 'what changed?'],
  ['fixes since v3.0-rc1', 'since v3.0-rc1', 'v3.0-rc1', '', 'fixes'],
  ['fixes since version 2.0', 'since version 2.0', '2.0', '', 'fixes'],
  ['fixes before the 1.4 release', 'before the 1.4 release', '', '1.4', 'fixes'],
  ['fixes since 2.0.1', 'since 2.0.1', '2.0.1', '', 'fixes'],
  ['until v5 how were errors shown', 'until v5', '', 'v5', 'how were errors shown'],
]

const NEGATIVE = `
http 2.0 support
top 5 last items
last modified header
since the value is null
before request
after commit hook
may fail
march through the list
the past participle
second last element
how does retry work today
what does the config look like today
why is the cache slow today
today button in the date picker
how do we compute yesterday
format yesterday as a string
get first day of last month
start of this week in local time
last month column is empty
compare this month to last month
difference between last year and this year in the report
users active in the last 30 days
count logins in the last 24 hours
requests in the last hour
delete sessions older than 30 days ago
tokens expired 3 days ago
milliseconds since 1970
seconds since 2001 reference date
year 2038 problem
overflow in 2038
wait until 2038
timeout after 2000 ms
timeout after 2000
retry after 2020 attempts
read in 2020 rows
error on line 2019
port 2020 already in use
rust in 2021 edition
random number between 2000 and 2010
dates before 2020 are wrong
parse records since 2019
ES2020 modules
RFC 2822 date parsing
what is the difference between v1 and v2
migrate from v1 to v2
before v2 middleware runs
after v4 uuid is generated
since v8 optimises it
since V8
before 127.0.0.1 is resolved
before 2.0 seconds
convert hex in dec
value in DEC
split in sep
since may fail
what may change after may be null
this may be slow
in may or may not
string "last month" in the translations
where is \`since 2020\` parsed
label 'last week' in the dashboard
last week number of the year
this year field
this week view
last week of the month
past month selector
since when does it fail
before the last commit
after last call
in the last argument
the last 5 lines of the log
last 10 entries
it worked before v2
was working until May
src/since/2020/file.ts
in 2020-13-45
since 2021-02-31
between 2021 and 2019
may 5 items be selected
is sunday in the past
security issue in versions before 6.2.3
prevalence in 1990 and 2015
invoice totals for last month
yesterday's date in the header
last year's column
`
  .trim()
  .split('\n')

describe('readTimeWords', () => {
  it('has tables worth the name', () => {
    expect(POSITIVE.length).toBeGreaterThan(40)
    expect(NEGATIVE.length).toBeGreaterThan(60)
  })

  it.each(POSITIVE)('%s', (question, phrase, since, until, rest) => {
    const reading = read(question)
    expect([reading.phrases, shown(reading.since), shown(reading.until), reading.rest]).toEqual([
      [phrase],
      since,
      until,
      rest,
    ])
  })

  it.each(TAGS)('%s', (question, phrase, after, before, rest) => {
    const { phrases, afterTag = '', beforeTag = '', rest: left, since, until } = read(question)
    expect([phrases, afterTag, beforeTag, left]).toEqual([[phrase], after, before, rest])
    expect([since, until]).toEqual([undefined, undefined])
  })

  it.each(NEGATIVE)('leaves alone: %s', question => {
    expect(read(question)).toEqual({ phrases: [], rest: question })
  })

  it('takes several times together, and none when they exclude each other', () => {
    const both = read('since 2020 who changed the parser before v2')
    expect(both).toMatchObject({
      phrases: ['since 2020', 'before v2'],
      beforeTag: 'v2',
      rest: 'who changed the parser',
    })
    expect(shown(read('since 2020 before March 2022 the parser').until)).toBe('2022-02-28!')
    const never = 'changes since 2022 but before 2019'
    expect(read(never)).toEqual({ phrases: [], rest: never })
  })

  it('leaves nothing only when nothing else was asked', () => {
    expect(read('last month?')).toMatchObject({ phrases: ['last month'], rest: '' })
    expect(read('  retries   last  month ')).toMatchObject({ phrases: ['last  month'], rest: 'retries' })
    expect(read('who, last month, changed it')).toMatchObject({ rest: 'who, changed it' })
  })

  it('reads no times out of a report', () => {
    const report = 'Crash in the parser\nIt worked in 2020. Since v2.0.1 it fails.'
    expect(read(report).phrases).toEqual([])
    expect(read(`${'word '.repeat(45)}since 2020`).phrases).toEqual([])
  })

  it('a bare month is the latest that has begun', () => {
    const since = (question: string, at: number) => shown(readTimeWords(question, at).since)
    expect(since('fixes in May', Date.UTC(2024, 3, 30, 23))).toBe('2023-05-01')
    expect(since('fixes in May', Date.UTC(2024, 4, 1))).toBe('2024-05-01')
    expect(since('fixes since Feb 29', Date.UTC(2024, 6, 1))).toBe('2024-02-29')
    expect(since('fixes last month', Date.UTC(2024, 0, 31))).toBe('2023-12-01')
    expect(since('fixes in the last month', Date.UTC(2024, 4, 31))).toBe('2024-04-30')
  })

  it('answers quickly and keeps its promises for any text', () => {
    const word = fc.constantFrom(
      ...'since in last may march 2020 v2 between and the 3 days ago month " ` , ? x'.split(' '),
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ maxLength: 8 })), { maxLength: 30 }), parts => {
        const question = parts.join(' ')
        const reading = read(question)
        expect(reading).toEqual(read(question))
        if (reading.phrases.length === 0) expect(reading).toEqual({ phrases: [], rest: question })
        for (const phrase of reading.phrases) expect(question).toContain(phrase)
        if (reading.since !== undefined && reading.until !== undefined)
          expect(reading.since).toBeLessThanOrEqual(reading.until)
      }),
      { numRuns: 500 },
    )
    const start = performance.now()
    for (const piece of ['between ', 'since the ', 'last ', '1', 'in  ', 'v1.', '"'])
      read(piece.repeat(400).slice(0, 400))
    expect(performance.now() - start).toBeLessThan(500)
  })
})
