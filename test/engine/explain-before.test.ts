import { describe, expect, it } from 'vitest'
import type { StoredChunk } from '../../dist/core/types.js'
import { linesBefore, touchedBefore } from '../../dist/engine/explain/before.js'

const commit = (sha: string, ...texts: string[]) => ({
  sha,
  time: 0,
  hunks: texts.map(text => ({ document: sha, text }) as StoredChunk),
})

const touched = (commits: ReturnType<typeof commit>[], ...lines: [number, number][]): string[] =>
  touchedBefore(commits, lines, 10).map(({ document }) => document)

describe('linesBefore', () => {
  it('says what stood where a hunk wrote lines', () => {
    const hunk = '@@ -10,4 +10,5 @@\n a\n-b\n+B\n c\n+D\n e'
    expect(linesBefore(hunk, [[11, 11]])).toEqual([[11, 11]])
    expect(linesBefore(hunk, [[13, 13]])).toEqual([[12, 13]])
    expect(linesBefore(hunk, [[12, 12]])).toEqual([])
    expect(linesBefore(hunk, [[1, 99]])).toEqual([
      [11, 11],
      [12, 13],
    ])
  })
})

describe('touchedBefore', () => {
  const insertAbove = commit('insert above', '@@ -1,2 +1,5 @@\n a\n+x\n+y\n+z\n b')
  const edit = commit('edit', '@@ -20 +20 @@\n-old\n+new')
  const remove = commit('remove', '@@ -19,3 +19,2 @@\n a\n-gone\n c')
  const create = commit('create', `@@ -0,0 +1,30 @@\n${Array.from({ length: 30 }, () => '+line').join('\n')}`)

  it('follows lines through what moved them', () => {
    expect(touched([insertAbove, edit], [23, 23])).toEqual(['edit'])
    expect(touched([insertAbove, edit], [20, 20])).toEqual([])
    expect(touched([insertAbove, edit], [2, 3])).toEqual(['insert above'])
  })

  it('ends where the lines came into being', () => {
    expect(touched([create, edit], [20, 20])).toEqual(['create'])
  })

  it('counts lines that were taken out between', () => {
    expect(touched([remove], [19, 20])).toEqual(['remove'])
    expect(touched([remove], [20, 21])).toEqual([])
    expect(touched([remove, edit], [18, 21])).toEqual(['remove', 'edit'])
  })
})
