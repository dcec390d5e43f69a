import { describe, expect } from 'vitest'
import { find, importCommits, type PlannedCommit, repositoryIn } from './history-scene.js'
import { type Scene, story } from './story.js'

const DAY = 86_400
const at = (date: string): number => Date.parse(`${date}T12:00:00Z`) / 1000

/** 300 commits that speak of nothing but the cache, and four that mention it once, each the only one of its kind. */
const crowdedHistory = (scene: Scene) => {
  const repository = repositoryIn(scene)
  const crowd = Array.from(
    { length: 300 },
    (_, number): PlannedCommit => ({
      message: `Evict the cache ${number}\n\nCache eviction: the cache evicts the oldest cache entry.`,
      files: { [`src/cache${number % 7}.ts`]: `export const evictCache = () => cache.evict(${number})\n` },
      author: 'Ada Lovelace <ada@example.org>',
      time: at('2021-06-01') + number * 600,
    }),
  )
  const odd: PlannedCommit[] = [
    { message: 'Old days', files: { 'src/old.ts': '// before the cache\n' }, time: at('2020-02-03') },
    ...crowd,
    {
      message: 'Tidy up',
      files: { 'src/tidy.ts': 'const a = 1 // of the cache\n' },
      author: 'Grace Hopper <grace@navy.example>',
      time: at('2021-06-02'),
    },
    {
      message: 'Notes',
      files: {
        'src/evict.ts': 'export const evictCache = () => cache.evictOldestCacheEntry()\n',
        'docs/deep/notes.txt': 'a word on the cache\n',
      },
      time: at('2021-06-03'),
    },
    { message: 'Script', files: { 'tool.py': 'x = 1  # the cache\n' }, time: at('2021-06-03') },
    { message: 'New days', files: { 'src/new.ts': '// after the cache\n' }, time: at('2023-09-09') },
  ]
  importCommits(repository, odd)
  return repository
}

describe('filters of find', () => {
  story('narrow inside the lanes, whatever 300 better commits say', async scene => {
    crowdedHistory(scene)
    const ask = async (...flags: string[]) => {
      const { hits } = await find(scene, 'cache eviction of the oldest entry', '-k', '3', ...flags)
      return hits.map(({ message, path }) => `${message!.split('\n')[0]}: ${path}`)
    }
    expect(await ask('--max-per-file', '0')).toEqual(Array(3).fill(expect.stringMatching(/^Evict the cache/)))
    // What the cap drops is refilled by commits further down, which are opened for it.
    const capped = await ask('--max-per-file', '1')
    expect(new Set(capped.map(hit => hit.split(': ')[1])).size).toBe(3)
    expect(await ask('--author', 'grace')).toEqual(['Tidy up: src/tidy.ts'])
    expect(await ask('--author', 'NAVY.example')).toEqual(['Tidy up: src/tidy.ts'])
    // The commit has a hunk that fits better, but not where it was looked for.
    expect(await ask('--path', 'docs/**')).toEqual(['Notes: docs/deep/notes.txt'])
    expect(await ask('--path', '*.txt', '--path', '!src/**')).toEqual(['Notes: docs/deep/notes.txt'])
    expect(await ask('--language', 'python')).toEqual(['Script: tool.py'])
    expect(await ask('--until', '2020-12-31')).toEqual(['Old days: src/old.ts'])
    expect(await ask('--since', '2022-01-01')).toEqual(['New days: src/new.ts'])
    expect(await ask('--since', '2019-01-01', '--until', '2020-12-31')).toEqual(['Old days: src/old.ts'])
    expect(await ask('--author', 'grace', '--language', 'python')).toEqual([])
    expect(await ask('--author', '%')).toEqual([])
  })

  story('every hunk that is shown lies in the asked path', async scene => {
    crowdedHistory(scene)
    const { hits } = await find(
      scene,
      'evict the cache',
      '-k',
      '20',
      '--path',
      'src/cache3.ts',
      '--max-per-file',
      '0',
    )
    expect(hits).toHaveLength(20)
    expect(new Set(hits.map(({ path }) => path))).toEqual(new Set(['src/cache3.ts']))
  })
})

describe('times in a question of find', () => {
  const subjects = (hits: readonly { readonly message?: string }[]) =>
    hits.map(({ message }) => message!.split('\n')[0])

  story('become filters, and the answer says so', async scene => {
    const repository = repositoryIn(scene)
    const now = Date.now()
    const firstOfMonth = new Date(now).setUTCDate(1) / 1000
    importCommits(repository, [
      { message: 'Parser one', files: { 'parser.ts': 'one\n' }, time: at('2020-05-05') },
      { message: 'Parser two', files: { 'parser.ts': 'two\n' }, time: at('2021-04-05') },
      {
        message: 'Parser three',
        files: { 'parser.ts': 'three\n' },
        time: Math.floor(firstOfMonth - 10 * DAY),
      },
    ])
    repository.git('tag', 'v2', 'main~1')
    const asked = async (question: string) => {
      const { hits, understood, warnings } = await find(scene, question)
      const said = warnings.map(({ code }) => code).filter(code => code !== 'VECTORS_PARTIAL')
      return [subjects(hits).sort(), understood, said]
    }
    expect(await asked('changes of the parser')).toEqual([
      ['Parser one', 'Parser three', 'Parser two'],
      ...[undefined, []],
    ])
    expect(await asked('who changed the parser last month')).toEqual([
      ['Parser three'],
      [expect.stringMatching(/^“last month”: since \d{4}-\d\d-01, until \d{4}-\d\d-\d\d$/)],
      [],
    ])
    expect(await asked('the parser since March 2021')).toEqual([
      ['Parser three', 'Parser two'],
      ['“since March 2021”: since 2021-03-01'],
      [],
    ])
    expect(await asked('how was the parser done before v2')).toEqual([
      ['Parser one', 'Parser two'],
      ['“before v2”: until 2021-04-05'],
      [],
    ])
    expect(await asked('how was the parser done before v7')).toEqual([
      ['Parser one', 'Parser three', 'Parser two'],
      ...[undefined, ['UNKNOWN_TAG']],
    ])
    expect((await asked('in 2020'))[0]).toEqual(['Parser one'])
  })

  story('are said on stderr beside text, and an unknown tag is a warning there', async scene => {
    const { commit } = repositoryIn(scene)
    commit('Parser one', { 'parser.ts': 'one\n' })
    for (const format of ['text', 'markdown', 'jsonl']) {
      const { stderr, stdout } = await scene.run('find', 'parser in 2020', '--format', format)
      expect(stderr).toContain('understood: “in 2020”: since 2020-01-01, until 2020-12-31\n')
      expect(stdout).not.toContain('understood')
    }
    const { stderr } = await scene.run('find', 'the parser before v7')
    expect(stderr).toMatch(/^warning: “before v7” .* no tag v7\n {3}hint: git tag --list$/m)
    expect(stderr).not.toContain('understood:')
  })

  story('give way to flags', async scene => {
    const { commit } = repositoryIn(scene)
    commit('Parser one', { 'parser.ts': 'one\n' })
    const { hits } = await find(scene, 'parser in 2021', '--since', '2019-01-01')
    expect(subjects(hits)).toEqual(['Parser one'])
  })

  story('--lines looks at what was added or removed and at nothing else', async scene => {
    const { commit } = repositoryIn(scene)
    const added = commit('First', { 'a.ts': 'export const zebra = 1\n' })
    const removed = commit('Second', { 'a.ts': 'export const other = 1\n' })
    commit('zebra is only named here', { 'b.ts': 'export const unrelated = 1\n' })
    const found = async (side: string) => (await find(scene, 'zebra', '--lines', side)).hits
    expect((await found('added')).map(hit => hit.commit)).toEqual([added])
    expect((await found('removed')).map(hit => hit.commit)).toEqual([removed])
    expect((await found('removed'))[0]!.text).toContain('-export const zebra = 1')
    expect((await scene.run('find', 'zebra', '--lines', 'both')).code).toBe(2)
  })
})
