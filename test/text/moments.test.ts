import { describe, expect, it } from 'vitest'
import { parseMoment } from '../../dist/text/moments.js'

const now = new Date(2024, 4, 31, 12, 30).getTime()
const since = (text: string) => parseMoment(text, 'since', now)

describe('parseMoment', () => {
  it.each([
    ['12h', new Date(2024, 4, 31, 0, 30)],
    ['30d', new Date(2024, 4, 1, 12, 30)],
    ['2w', new Date(2024, 4, 17, 12, 30)],
    ['1y', new Date(2023, 4, 31, 12, 30)],
    ['yesterday', new Date(2024, 4, 30, 12, 30)],
    ['last week', new Date(2024, 4, 24, 12, 30)],
    ['today', new Date(2024, 4, 31)],
    ['2024-05-01', new Date(2024, 4, 1)],
    [' 2024-05-01 ', new Date(2024, 4, 1)],
  ])('%s', (text, expected) => {
    expect(since(text)).toBe(expected.getTime())
  })

  it('reads ISO times with and without a zone', () => {
    expect(since('2024-05-01T10:00:00Z')).toBe(Date.UTC(2024, 4, 1, 10))
    expect(since('2024-05-01T10:00+02:00')).toBe(Date.UTC(2024, 4, 1, 8))
    expect(since('2024-05-01T10:00')).toBe(new Date(2024, 4, 1, 10).getTime())
  })

  it('takes a whole day as the end of a span', () => {
    expect(parseMoment('2024-05-01', 'until', now)).toBe(new Date(2024, 4, 2).getTime() - 1)
    expect(parseMoment('today', 'until', now)).toBe(new Date(2024, 5, 1).getTime() - 1)
  })

  it.each([
    '',
    'x',
    '30',
    'd',
    '-3d',
    '1e9d',
    '999999d',
    '2024-02-31',
    '2024-13-01',
    '2024-5-1',
    '01/02/2024',
    'NaN',
    '30m',
  ])('refuses %j', text => {
    expect(since(text)).toBeNull()
  })

  it('goes back a month from a long one to a short one without leaving it', () => {
    const end = new Date(since('1mo')!)
    expect([end.getMonth(), end.getDate()]).toEqual([3, 30])
  })

  it.each([
    ['March 2021', new Date(2021, 2, 1), new Date(2021, 3, 1)],
    ['2019', new Date(2019, 0, 1), new Date(2020, 0, 1)],
    ['2021-03', new Date(2021, 2, 1), new Date(2021, 3, 1)],
    ['june', new Date(2023, 5, 1), new Date(2023, 6, 1)],
    ['4 March 2021', new Date(2021, 2, 4), new Date(2021, 2, 5)],
  ])('reads %s as people write it, with both its ends', (text, start, end) => {
    expect(since(text)).toBe(start.getTime())
    expect(parseMoment(text, 'until', now)).toBe(end.getTime() - 1)
  })

  it('takes a moment for what it is on either edge, and a day that lies ahead', () => {
    expect(since('3 weeks ago')).toBe(new Date(2024, 4, 10, 12, 30).getTime())
    expect(parseMoment('3 weeks ago', 'until', now)).toBe(new Date(2024, 4, 10, 12, 30).getTime())
    expect(since('2030-01-01')).toBe(new Date(2030, 0, 1).getTime())
  })
})
