import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadCodeSearch } from '../../../build/bench/sets/code-search.js'
import { loadCodescout } from '../../../build/bench/sets/codescout.js'
import { loadIssues } from '../../../build/bench/sets/issues.js'
import { slugOf } from '../../../build/bench/sets/repository.js'
import { loadWords } from '../../../build/bench/sets/words.js'
import { fixtureRepository, temporaryDirectory, writeTree } from '../fixture-repository.js'

const lines = (rows: readonly unknown[]): string => rows.map(row => `${JSON.stringify(row)}\n`).join('')

/** Data and mirrors of one small project with two commits; in the second `pkg/core.py` has more lines. */
const project = () => {
  const base = temporaryDirectory()
  const repository = fixtureRepository(join(base, 'work'))
  writeTree(repository.work, {
    'pkg/core.py': 'one\n',
    'pkg/sub/util.py': 'util\n',
    'pkg/sub/pay.py': 'parse_invoice = everywhere(aGVsbG8gd29ybGQhIQ)\n',
    'pkg/sub/bill.py': 'everywhere = print_bills\n',
    'README.md': 'read me\n',
  })
  const older = repository.commit('2020-01-01T00:00:00Z')
  writeTree(repository.work, { 'pkg/core.py': 'one\ntwo\n' })
  const newer = repository.commit('2021-01-01T00:00:00Z')
  const mirrors = join(base, 'mirrors')
  repository.git('clone', '--quiet', '--bare', '.', join(mirrors, 'ada+tiny/repo'))
  return { base, mirrors, data: join(base, 'data'), scratch: join(base, 'scratch'), older, newer }
}

describe('code-search', () => {
  const withData = () => {
    const setup = project()
    writeTree(setup.data, {
      'code-search/repos.json': JSON.stringify([
        {
          name: 'tiny',
          language: 'python',
          url: 'https://example.org/ada/tiny.git',
          revision: setup.older,
          benchmark_root: 'pkg',
        },
        {
          name: 'whole',
          language: 'markdown',
          url: join(setup.base, 'work'),
          revision: setup.newer,
          benchmark_root: null,
        },
      ]),
      'code-search/annotations/tiny.json': JSON.stringify([
        { query: 'core', relevant: ['pkg/core.py'], secondary: ['util.py'], category: 'symbol' },
        {
          query: 'second line',
          relevant: [{ path: 'pkg/core.py', start_line: 2, end_line: 2 }],
          secondary: [],
          category: 'semantic',
          seed: { path: 'pkg/core.py', line: 1 },
        },
      ]),
      'code-search/annotations/whole.json': JSON.stringify([
        { query: 'readme', relevant: ['README.md'], secondary: [], category: 'architecture' },
      ]),
    })
    return setup
  }

  it('reads labels of both kinds and both spellings', async () => {
    const set = await loadCodeSearch(withData())
    expect(set.corpora.map(({ name, language, queries }) => [name, language, queries.length])).toEqual([
      ['tiny', 'python', 2],
      ['whole', 'markdown', 1],
    ])
    expect(set.corpora[0]!.queries).toEqual([
      {
        id: 'tiny/0',
        text: 'core',
        category: 'symbol',
        targets: [
          { path: 'pkg/core.py', grade: 1 },
          { path: 'util.py', grade: 1 },
        ],
      },
      {
        id: 'tiny/1',
        text: 'second line',
        category: 'semantic',
        targets: [{ path: 'pkg/core.py', startLine: 2, endLine: 2, grade: 1 }],
      },
    ])
  })

  it('prepares the benchmark root at the pinned revision, and matches results that are relative to it', async () => {
    const { data, mirrors, scratch, older } = withData()
    const [tiny] = (await loadCodeSearch({ data, mirrors })).corpora
    const directory = await tiny!.prepare(scratch)
    expect(directory).toBe(join(scratch, 'code-search', `tiny@${older.slice(0, 12)}`, 'pkg'))
    expect(readFileSync(join(directory, 'core.py'), 'utf8')).toBe('one\n')
    const [core, util] = tiny!.queries[0]!.targets
    expect(tiny!.matches({ path: 'core.py', startLine: 1, endLine: 1 }, core!)).toBe(true)
    expect(tiny!.matches({ path: 'sub/util.py', startLine: 1, endLine: 1 }, util!)).toBe(true)
    expect(tiny!.matches({ path: 'sub/core.py', startLine: 1, endLine: 1 }, core!)).toBe(false)
  })

  it('gives words that stand in one file, each with that file', async () => {
    const { data, mirrors, scratch } = withData()
    const repositories = join(data, 'code-search/repos.json')
    writeFileSync(repositories, JSON.stringify(JSON.parse(readFileSync(repositories, 'utf8')).slice(0, 1)))
    const [tiny] = (await loadWords({ data, mirrors }, scratch)).corpora
    const words = tiny!.queries.map(({ text, targets }) => [text, targets[0]!.path])
    expect(words.sort()).toEqual([
      ['parse_invoice', 'sub/pay.py'],
      ['print_bills', 'sub/bill.py'],
    ])
    expect(
      tiny!.matches({ path: 'sub/pay.py', startLine: 1, endLine: 1 }, tiny!.queries[0]!.targets[0]!),
    ).toBe(tiny!.queries[0]!.text === 'parse_invoice')
  })

  it('clones when there are no mirrors, once', async () => {
    const { base, data, scratch } = withData()
    const whole = (await loadCodeSearch({ data })).corpora[1]!
    const directory = await whole.prepare(scratch)
    expect(readFileSync(join(directory, 'README.md'), 'utf8')).toBe('read me\n')
    renameSync(join(base, 'work'), join(base, 'moved away'))
    rmSync(`${directory}.tree`)
    expect(readFileSync(join(await whole.prepare(scratch), 'pkg/core.py'), 'utf8')).toBe('one\ntwo\n')
  })

  it('says which mirror is missing', async () => {
    const { data, mirrors, scratch } = withData()
    rmSync(join(mirrors, 'ada+tiny'), { recursive: true })
    const [tiny] = (await loadCodeSearch({ data, mirrors })).corpora
    await expect(tiny!.prepare(scratch)).rejects.toThrow('QUARRY_BENCH_MIRRORS has no ada+tiny/repo')
  })

  it('has a hash that follows the data', async () => {
    const { data } = withData()
    const before = (await loadCodeSearch({ data })).hash
    expect(before).toMatch(/^[0-9a-f]{64}$/)
    expect((await loadCodeSearch({ data })).hash).toBe(before)
    writeTree(data, { 'code-search/annotations/whole.json': '[]' })
    expect((await loadCodeSearch({ data })).hash).not.toBe(before)
  })

  it('names the place of a wrong label', async () => {
    const { data } = withData()
    writeTree(data, { 'code-search/annotations/whole.json': '[{"query": "q", "relevant": [7]}]' })
    await expect(loadCodeSearch({ data })).rejects.toThrow(/annotations\/whole\.json: .*relevant/s)
  })
})

describe('issues', () => {
  const instance = (id: string, commit: string, mentions: boolean) => ({
    instance_id: id,
    repo: 'ada/tiny',
    base_commit: commit,
    query: `text of ${id}\nwith a second line`,
    gold_code_files: ['pkg/core.py', 'pkg/sub/util.py'],
    query_mentions_gold_path: mentions,
  })

  it('orders by commit date, moves one directory, and counts what it leaves out', async () => {
    const { data, mirrors, scratch, older, newer } = project()
    const rows = [
      instance('b', newer, true),
      instance('lost', 'd'.repeat(40), false),
      instance('a', older, false),
    ]
    writeTree(data, { 'issues/instances.jsonl': lines(rows) })
    const set = await loadIssues({ data, mirrors }, scratch)
    expect(set.leftOut).toEqual([{ id: 'lost', reason: `the repository lacks commit ${'d'.repeat(40)}` }])
    expect(set.corpora.map(({ name, repository, language }) => [name, repository, language])).toEqual([
      ['a', 'ada/tiny', 'python'],
      ['b', 'ada/tiny', 'python'],
    ])
    expect(set.corpora.map(({ queries }) => queries[0]!.category)).toEqual(['plain', 'names-path'])
    expect(set.corpora[0]!.queries[0]!.targets.map(({ path }) => path)).toEqual([
      'pkg/core.py',
      'pkg/sub/util.py',
    ])

    const directories = new Set<string>()
    const texts: string[] = []
    for (const corpus of set.corpora) {
      const directory = await corpus.prepare(scratch)
      directories.add(directory)
      texts.push(readFileSync(join(directory, 'pkg/core.py'), 'utf8'))
    }
    expect([...directories]).toEqual([join(scratch, 'issues', 'ada+tiny')])
    expect(texts).toEqual(['one\n', 'one\ntwo\n'])
  })

  it('wants the whole path of a gold file', async () => {
    const { data, mirrors, scratch, older } = project()
    writeTree(data, { 'issues/instances.jsonl': lines([instance('a', older, false)]) })
    const [corpus] = (await loadIssues({ data, mirrors }, scratch)).corpora
    const place = (path: string) => ({ path, startLine: 1, endLine: 1 })
    expect(corpus!.matches(place('pkg/core.py'), corpus!.queries[0]!.targets[0]!)).toBe(true)
    expect(corpus!.matches(place('old/pkg/core.py'), corpus!.queries[0]!.targets[0]!)).toBe(false)
  })
})

describe('codescout', () => {
  it('says clearly when the mirror is missing', async () => {
    const { data, mirrors, scratch } = project()
    const cases = [{ id: 'TC-01', tier: 1, query: 'RecoverableError', expected_files: ['src/server.rs'] }]
    writeTree(data, { 'codescout/natural.json': JSON.stringify(cases) })
    const set = await loadCodescout({ data, mirrors })
    expect(set.corpora[0]!.queries).toEqual([
      {
        id: 'TC-01',
        text: 'RecoverableError',
        category: 'tier-1',
        targets: [{ path: 'src/server.rs', grade: 1 }],
      },
    ])
    await expect(set.corpora[0]!.prepare(scratch)).rejects.toThrow(
      /no mareurs\+codescout\/repo.*bare clone of https/,
    )
    expect(existsSync(join(scratch, 'codescout'))).toBe(false)
  })
})

it('slugOf reads owner and name from every spelling of an address', () => {
  for (const url of [
    'https://github.com/a/b.git',
    'https://github.com/a/b',
    'git@github.com:a/b.git',
    '/srv/a/b/',
  ]) {
    expect(slugOf(url)).toBe('a/b')
  }
})
