import { describe, expect, it } from 'vitest'
import { firstDeletion, isBefore, lastDeletion } from '../../../dist/adapters/git/last-deletion.js'
import { linesGone } from '../../../dist/adapters/git/lines-gone.js'
import { gitRepository } from '../../fixtures/git-repository.js'
import { open } from './open.js'

const story = () => {
  const repository = gitRepository()
  const lines = Array.from({ length: 12 }, (_, at) => `a line of some length, number ${at + 1}`)
  const write = () => ({ 'f.txt': `${lines.join('\n')}\n` })
  const one = repository.commit('one', write())
  lines[3] = 'changed'
  const two = repository.commit('two', write())
  lines.splice(7, 2)
  const three = repository.commit('three', write())
  repository.git('mv', 'f.txt', 'g.txt')
  const four = repository.commit('four')
  repository.git('rm', '-q', 'g.txt')
  const five = repository.commit('five')
  return { repository, shas: { one, two, three, four, five } }
}

describe('linesGone', () => {
  it('names the first commit without each line, through a rename, up to the deletion', async () => {
    const { repository, shas } = story()
    const opened = await open(repository.work)
    const gone = await linesGone(opened, { from: shas.one, to: shas.five, path: 'f.txt' })
    const byLine = gone!.flatMap(({ line, count, sha }) =>
      Array.from({ length: count }, (_, at) => [line + at, sha]),
    )
    expect(Object.fromEntries(byLine)).toEqual(
      Object.fromEntries(
        Array.from({ length: 12 }, (_, at) => at + 1).map(line => [
          line,
          line === 4 ? shas.two : line === 8 || line === 9 ? shas.three : shas.five,
        ]),
      ),
    )
    expect(gone![0]).toMatchObject({ lastPath: 'g.txt', lastLine: 1, committed: expect.any(Number) })
    expect(gone!.every(({ committed }) => committed > 1.5e12)).toBe(true)
    const some = await linesGone(opened, {
      ...{ from: shas.one, to: shas.four, path: 'f.txt', ranges: [{ start: 4, end: 5 }] },
    })
    expect(some).toMatchObject([{ sha: shas.two, lastPath: 'f.txt', lastLine: 4, line: 4, count: 1 }])
    expect(await linesGone(opened, { from: shas.one, to: shas.one, path: 'f.txt' })).toEqual([])
  })

  it('looks behind a merge for the commit of the branch that it brought', async () => {
    const repository = gitRepository()
    const one = repository.commit('one', { 'f.txt': 'first line\nsecond line\nthird line\n' })
    repository.git('checkout', '-q', '-b', 'side')
    const side = repository.commit('side', { 'f.txt': 'first line\nanother line\nthird line\n' })
    repository.git('checkout', '-q', 'main')
    repository.commit('main', { 'g.txt': 'main\n' })
    repository.git('merge', '-q', '--no-ff', '--no-commit', 'side')
    const merge = repository.commit('merge', { 'f.txt': 'first line\nanother line\nthe merge did this\n' })
    const opened = await open(repository.work)
    const gone = await linesGone(opened, { from: one, to: merge, path: 'f.txt' })
    expect(gone!.map(({ line, sha }) => [line, sha])).toEqual([
      [2, side],
      [3, merge],
    ])
  })

  it('knows nothing of another line of history, and takes nothing but full ids and plain paths', async () => {
    const { repository, shas } = story()
    const opened = await open(repository.work)
    expect(await linesGone(opened, { from: shas.two, to: shas.one, path: 'f.txt' })).toBe(null)
    for (const bad of ['HEAD', '--output=x', shas.one.slice(0, 8), ''])
      await expect(linesGone(opened, { from: bad, to: shas.one, path: 'f.txt' })).rejects.toMatchObject({
        code: 'BAD_INPUT',
      })
    for (const bad of ['../f', '--output=x', ':(glob)*', ''])
      await expect(lastDeletion(opened, shas.five, bad)).rejects.toMatchObject({ code: 'BAD_PATH' })
  })
})

describe('deletions', () => {
  it('are found from the newest and from the oldest side, and on a branch that was merged', async () => {
    const { repository, shas } = story()
    const again = repository.commit('six', { 'f.txt': 'back\n' })
    repository.git('rm', '-q', 'f.txt')
    const last = repository.commit('seven')
    repository.git('checkout', '-q', '-b', 'side')
    repository.commit('side makes', { 'side.txt': 'x\n' })
    repository.git('rm', '-q', 'side.txt')
    const side = repository.commit('side deletes')
    repository.git('checkout', '-q', 'main')
    repository.commit('main goes on', { 'other.txt': 'x\n' })
    repository.git('merge', '-q', '--no-ff', '-m', 'merge', 'side')
    const head = repository.git('rev-parse', 'HEAD')
    const opened = await open(repository.work)
    expect(await lastDeletion(opened, head, 'f.txt')).toBe(last)
    expect(await lastDeletion(opened, again, 'f.txt')).toBe(shas.four)
    expect(await firstDeletion(opened, shas.one, head, 'f.txt')).toBe(shas.four)
    expect(await lastDeletion(opened, head, 'side.txt')).toBe(side)
    expect(await lastDeletion(opened, head, 'never.txt')).toBe(null)
    expect(await isBefore(opened, side, head)).toBe(true)
    expect(await isBefore(opened, head, side)).toBe(false)
  })
})
