import { expect, test } from 'vitest'
import { readTime } from '../../dist/text/note-times.js'

test.each([
  ['2024-05-01', '2024-05-01T00:00:00.000Z'],
  ['2024-05-01T10:30', '2024-05-01T10:30:00.000Z'],
  ['2024-05-01 10:30:15', '2024-05-01T10:30:15.000Z'],
  ['2024-05-01T10:30:00+02:00', '2024-05-01T08:30:00.000Z'],
  ['2024-05-01T10:30:00.123Z', '2024-05-01T10:30:00.123Z'],
  [1714550400, '2024-05-01T08:00:00.000Z'],
  [1714550400000, '2024-05-01T08:00:00.000Z'],
  ['1714550400.000200', '2024-05-01T08:00:00.000Z'],
  ['1:56 pm on 8 May, 2023', '2023-05-08T13:56:00.000Z'],
  ['8 May 2023', '2023-05-08T00:00:00.000Z'],
  ['May 8th, 2023 9:05 a.m.', '2023-05-08T09:05:00.000Z'],
  ['Wed, 01 May 2024 10:30:00 +0200', '2024-05-01T08:30:00.000Z'],
])('%s is %s, on every machine', (given, expected) => {
  const reading = readTime(given)
  expect(reading && 'time' in reading && new Date(reading.time).toISOString()).toBe(expected)
})

test.each([[undefined], [null], [''], ['  ']])('%s is no time', given => expect(readTime(given)).toBeNull())

test.each([
  ...[
    '9999-01-01',
    '0001-01-01',
    '2024-13-45',
    'soon',
    '04/05/2023',
    -1,
    0,
    1e300,
    Number.NaN,
    true,
    {},
    '-5',
  ],
])('%s is not believed', given => expect(readTime(given)).toHaveProperty('odd'))
