import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { bySearchOf, namesIn, readLog, titleWords } from '../../../build/bench/agents/git-log.js'
import { grepOrder, openFiles } from '../../../build/bench/agents/grep-and-read.js'
import { scoreReading } from '../../../build/bench/agents/reading.js'
import { gitRepository } from '../../fixtures/git-repository.js'

describe('what is read', () => {
  it('is paid up to and including the piece that holds a target', () => {
    const pieces = [
      { tokens: 300, targets: [] },
      { tokens: 300, targets: [1] },
      { tokens: 900, targets: [0, 1] },
    ]
    expect(scoreReading(pieces, 3)).toEqual({
      ...{ tokens: 600, found: 1 },
      ...{ 'R@500': 0, 'R@1000': 1 / 3, 'R@2000': 2 / 3, 'R@4000': 2 / 3, 'R@8000': 2 / 3 },
    })
    expect(scoreReading(pieces.slice(0, 1), 3)).toMatchObject({ tokens: 32_000, found: 0, 'R@8000': 0 })
  })
})

describe('without an index', () => {
  const repository = () => {
    const { work, commit, gitDirectory } = gitRepository()
    const first = commit('Add the parser', {
      'a.ts': 'const parseRow = 1\nconst row = parseRow\n',
      'b.ts': 'Row\n',
    })
    const second = commit('Tidy up', { 'a.ts': 'const row = 1\n' })
    commit('Move a line', { 'a.ts': '\nconst row = 1\n' })
    return { work, gitDirectory, first, second }
  }

  it('files with most of the words are read first', () => {
    const { work } = repository()
    const order = (question: string) => grepOrder(openFiles(work), question).map(({ path }) => path)
    expect(order('where is the const of a row?')).toEqual(['a.ts', 'b.ts'])
    expect(order('nothing of this')).toEqual([])
  })

  it('the log is searched as git does it', async () => {
    const { work, gitDirectory, first, second } = repository()
    const names = namesIn('parseRow fails')
    expect(names).toEqual(['parseRow'])
    const log = await readLog(
      gitDirectory,
      execFileSync('git', ['-C', work, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
      new Set(names),
    )
    const changed = bySearchOf(log, names, ({ changed }, word) => changed.has(word)).map(({ sha }) => sha)
    expect(changed).toEqual([second, first])
    const bySearch = execFileSync('git', ['-C', work, 'log', '-S', 'parseRow', '--format=%H'], {
      encoding: 'utf8',
    })
    expect(bySearch.trim().split('\n')).toEqual(changed)
    const words = titleWords('The parser breaks\nwith a row')
    expect(
      bySearchOf(log, words, ({ message }, word) => message.includes(word)).map(({ sha }) => sha),
    ).toEqual([first])
  })
})
