import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchLines } from '../../dist/text/match-lines.js'

const match = (before: string, after: string): number[] => [...matchLines([...before], [...after])]

/** The longest common subsequence, the slow way. */
const longest = (one: readonly string[], other: readonly string[]): number => {
  const row = new Array<number>(other.length + 1).fill(0)
  for (const line of one) {
    let diagonal = 0
    other.forEach((candidate, at) => {
      const above = row[at + 1]!
      row[at + 1] = line === candidate ? diagonal + 1 : Math.max(above, row[at]!)
      diagonal = above
    })
  }
  return row.at(-1)!
}

describe('matchLines', () => {
  it('finds the lines that an edit left alone', () => {
    expect(match('abcde', 'abcde')).toEqual([1, 2, 3, 4, 5])
    expect(match('abcde', 'abXcde')).toEqual([1, 2, 0, 3, 4, 5])
    expect(match('abcde', 'abde')).toEqual([1, 2, 4, 5])
    expect(match('abcde', 'Abcde')).toEqual([0, 2, 3, 4, 5])
    expect(match('', 'ab')).toEqual([0, 0])
    expect(match('ab', '')).toEqual([])
    expect(match('}x}y}', '}x}z}')).toEqual([1, 2, 3, 0, 5])
  })

  it('matches equal lines only, in rising order', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', '}'), { maxLength: 40 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const matches = [...matchLines(before, after)]
        expect(matches).toHaveLength(after.length)
        const used = matches.filter(line => line > 0)
        expect(used).toEqual([...new Set(used)].sort((one, other) => one - other))
        matches.forEach((line, at) => {
          if (line > 0) expect(before[line - 1]).toBe(after[at])
        })
        expect(used.length).toBeLessThanOrEqual(longest(before, after))
      }),
    )
  })

  it('finds every line of a text that lines were only added to or taken from', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ maxLength: 2 }), fc.boolean()), { maxLength: 60 }), pairs => {
        const whole = pairs.map(([line]) => line)
        const part = pairs.filter(([, isKept]) => isKept).map(([line]) => line)
        const count = (matches: Uint32Array) => matches.filter(line => line > 0).length
        // Landmarks may cost a repeated line its match, never a line that stands once.
        const unique = part.filter(line => whole.filter(other => other === line).length === 1).length
        expect(count(matchLines(whole, part))).toBeGreaterThanOrEqual(unique)
        expect(count(matchLines(part, whole))).toBeGreaterThanOrEqual(unique)
      }),
    )
  })

  it('takes a second at most for a long file without landmarks, and gives up on it rather than on the reader', () => {
    const before = Array.from({ length: 60_000 }, (_, at) => (at % 2 === 0 ? '{' : '}'))
    const after = ['x', ...before.map(line => (line === '{' ? '}' : '{')), 'y']
    const started = performance.now()
    matchLines(before, after)
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
