import { describe, expect, it } from 'vitest'
import { hunkBlocks, hunkLines } from '../../dist/text/hunk-lines.js'

const HUNK = [
  '@@ -10,5 +10,6 @@ def f',
  ' a',
  '-b',
  '+B',
  '+C',
  ' c',
  ' d',
  '-e',
  '+E',
  '\\ No newline at end of file',
]

describe('hunkLines', () => {
  it('numbers the lines of both sides', () => {
    expect(
      hunkLines(HUNK.join('\n')).map(line => line && `${line.sign}${line.before}/${line.after}`),
    ).toEqual([
      ...[null, ' 10/10', '-11/11', '+12/11', '+12/12', ' 12/13', ' 13/14', '-14/15', '+15/15', null],
    ])
  })

  it('counts from 1 in new and in deleted files, and takes counts of one that are left out', () => {
    expect(hunkLines('@@ -0,0 +1,2 @@\n+a\n+b\n').at(-1)).toEqual({ sign: '+', before: 1, after: 2 })
    expect(hunkLines('@@ -1 +0,0 @@\n-a')[1]).toEqual({ sign: '-', before: 1, after: 1 })
    expect(hunkLines('no hunk at all\n+a')).toEqual([])
    expect(hunkLines('')).toEqual([])
  })
})

describe('hunkBlocks', () => {
  it('joins what was exchanged', () => {
    expect(hunkBlocks(HUNK.join('\n'))).toEqual([
      { before: { start: 11, count: 1 }, after: { start: 11, count: 2 } },
      { before: { start: 14, count: 1 }, after: { start: 15, count: 1 } },
    ])
    expect(hunkBlocks('@@ -3,2 +3,3 @@\n a\n+new\n b')).toEqual([
      { before: { start: 4, count: 0 }, after: { start: 4, count: 1 } },
    ])
    expect(hunkBlocks('@@ -4 +3,0 @@\n-gone')).toEqual([
      { before: { start: 4, count: 1 }, after: { start: 4, count: 0 } },
    ])
  })
})
