import { describe, expect, it } from 'vitest'
import { distinctFiles, endsWithTarget, ranksOf, samePath } from '../../../dist/measuring/metrics/match.js'

const place = (path: string, startLine = 1, endLine = 10) => ({ path, startLine, endLine })

describe('endsWithTarget', () => {
  it('puts the indexed directory in front of a result before it compares', () => {
    const matches = endsWithTarget('src/requests')
    expect(matches(place('sessions.py'), { path: 'src/requests/sessions.py', grade: 1 })).toBe(true)
    expect(matches(place('sessions.py'), { path: 'sessions.py', grade: 1 })).toBe(true)
    expect(matches(place('old/sessions.py'), { path: 'src/requests/sessions.py', grade: 1 })).toBe(false)
  })

  it('compares whole parts of a path', () => {
    expect(endsWithTarget('')(place('my_app.py'), { path: 'app.py', grade: 1 })).toBe(false)
    expect(endsWithTarget('')(place('app.py'), { path: 'app.py', grade: 1 })).toBe(true)
    expect(endsWithTarget('src')(place('app.py'), { path: 'other/app.py', grade: 1 })).toBe(false)
  })

  it('wants a common line when the target has lines, ends included', () => {
    const target = { path: 'a.js', startLine: 10, endLine: 20, grade: 1 }
    const matches = endsWithTarget('lib')
    expect(matches(place('a.js', 1, 9), target)).toBe(false)
    expect(matches(place('a.js', 1, 10), target)).toBe(true)
    expect(matches(place('a.js', 20, 40), target)).toBe(true)
    expect(matches(place('a.js', 21, 40), target)).toBe(false)
    expect(matches(place('a.js', 12, 13), target)).toBe(true)
  })
})

describe('samePath', () => {
  it('accepts no mere ending', () => {
    expect(samePath(place('src/a.py'), { path: 'src/a.py', grade: 1 })).toBe(true)
    expect(samePath(place('lib/src/a.py'), { path: 'src/a.py', grade: 1 })).toBe(false)
  })
})

describe('ranksOf', () => {
  const results = [place('b.ts', 1, 5), place('a.ts', 1, 9), place('a.ts', 10, 20)]

  it('is the place of the first result that is the target, in the order of the targets', () => {
    const targets = [
      { path: 'a.ts', startLine: 15, endLine: 16, grade: 1 },
      { path: 'a.ts', grade: 1 },
      { path: 'c.ts', grade: 1 },
    ]
    expect(ranksOf(targets, results, samePath)).toEqual([3, 2, Number.POSITIVE_INFINITY])
  })

  it('counts files once they are collapsed', () => {
    const files = distinctFiles([place('a'), place('a', 20, 30), place('b'), place('a'), place('c')])
    expect(files).toEqual([place('a'), place('b'), place('c')])
    expect(ranksOf([{ path: 'c', grade: 1 }], files, samePath)).toEqual([3])
  })
})
