/** Sets whose material is a repository: issues with their fixes, and lists of questions. */

import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { fixtureRepository, writeTree } from '../bench/fixture-repository.js'
import { type Scene, story } from './story.js'

const lines = (rows: readonly unknown[]): string => rows.map(row => `${JSON.stringify(row)}\n`).join('')

const questionsOf = (scene: Scene, out: string): Record<string, unknown>[] =>
  readFileSync(join(scene.repo, out, 'questions.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

/** A clone with a bug, an unrelated commit, and the fix. */
const cloneWithFix = (scene: Scene) => {
  const clone = fixtureRepository(join(scene.repo, 'clones/ada/tiny'))
  writeTree(clone.work, {
    'pkg/session.py': 'def open_session(cookies):\n    return cookies\n',
    'pkg/parser.py': 'def parse_header(line):\n    return line.split(":")\n',
  })
  const base = clone.commit('2020-01-01T00:00:00Z')
  writeTree(clone.work, { 'pkg/session.py': 'def open_session(cookies):\n    return dict(cookies)\n' })
  const fix = clone.commit('2020-02-01T00:00:00Z')
  writeTree(clone.work, { 'docs/guide.md': '# Guide\n\nHow a header is parsed.\n' })
  const head = clone.commit('2020-03-01T00:00:00Z')
  return { base, fix, head }
}

describe('bench of issues', () => {
  const issue = (id: string, commit: string, fixes: readonly string[], more: object = {}) => ({
    ...{ instance_id: id, repo: 'ada/tiny', base_commit: commit, created_at: `2020-01-0${id.length}` },
    ...{ query: 'open_session shares its cookies\n\nIt must copy them.', query_mentions_gold_path: false },
    ...{ gold_code_files: ['pkg/session.py'], gold_files: [{ path: 'pkg/session.py', hunks: [[1, 2]] }] },
    fix: fixes.length === 0 ? null : { how: 'merge', relevant_commits: fixes.map(sha => ({ sha })) },
    ...more,
  })

  story('ranks files before the fix and commits at the head, from one clone', async scene => {
    const { base, fix, head } = cloneWithFix(scene)
    scene.write('issues/repos.json', JSON.stringify({ 'ada/tiny': { snapshot_head: head } }))
    scene.write(
      'issues/instances.jsonl',
      lines([
        issue('second', head, []),
        issue('a', base, [fix]),
        issue('lost', '0'.repeat(40), [fix], { query_mentions_gold_path: true }),
      ]),
    )
    const run = (...args: string[]) => scene.run('bench', 'issues', '--fast', ...args)
    const ran = await run('--mirrors', 'clones', '--out', 'out')
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout).toContain('## issues-files\n\n2 of 3 questions, ranks of files')
    expect(ran.stdout).toContain(
      'left out: 1 × the clone of https://github.com/ada/tiny.git does not hold 0000',
    )
    expect(ran.stdout).toContain('## issues-commits\n\n2 questions, ranks of commits')
    expect(ran.stdout).toContain('left out: 1 × no commit is known that fixed it')
    expect(ran.stdout).toMatch(/MRR by category:\n\n.*names-path \(1\) \| plain \(1\)/)
    const questions = questionsOf(scene, 'out')
    expect(questions.map(({ set, id, category }) => [set, id, category])).toEqual([
      ['issues-files', 'a', 'plain'],
      ['issues-files', 'second', 'plain'],
      ['issues-commits', 'a', 'plain'],
      ['issues-commits', 'lost', 'names-path'],
    ])
    expect(questions[0]!.scores).toEqual({ 'Acc@1': 1, 'Acc@5': 1, 'Acc@10': 1, 'Hit@10': 1, MRR: 1 })
    // Two commits touch the session: the fix is one of them, and its hunk is in the file to find.
    expect(questions[2]!.scores).toMatchObject({ 'Hit@10': 1, 'Hit@50': 1, 'right hunk': 1 })
    expect(existsSync(join(scene.home, 'data'))).toBe(false)

    const commits = await run('--split', 'commits', '--mirrors', 'clones', '--out', 'commits')
    expect(commits.stdout).not.toContain('issues-files')
    const neither = await run('--split', 'test', '--out', 'none')
    expect(neither).toMatchObject({ code: 2 })
    expect(neither.stderr).toContain('has no part test: there are files, commits')
    expect(neither.stderr).toContain('hint: --split files')
    const without = await run('--out', 'nothing')
    expect(without).toMatchObject({ code: 1 })
    expect(without.stdout).toContain('git clone --mirror https://github.com/ada/tiny.git MIRRORS/tiny.git')
  })

  story('says what is wrong with the data, and what a clone lacks', async scene => {
    const { base, fix, head } = cloneWithFix(scene)
    const run = (...args: string[]) =>
      scene.run('bench', 'issues', '--fast', '--mirrors', 'clones', '--out', 'out', ...args)
    scene.write('issues/repos.json', JSON.stringify({ 'ada/tiny': { snapshot_head: 'main' } }))
    scene.write('issues/instances.jsonl', lines([issue('a', base, [fix]), issue('b', 'HEAD', [fix])]))
    expect((await run()).stderr).toMatch(/issues\/instances\.jsonl:2: base_commit: it must be a commit id/)
    scene.write('issues/instances.jsonl', lines([issue('a', base, [fix])]))
    expect((await run()).stderr).toContain('issues/repos.json: ada/tiny.snapshot_head')
    scene.write('issues/repos.json', JSON.stringify({ 'ada/other': { snapshot_head: head } }))
    expect((await run('--split', 'commits')).stdout).toContain('1 × repos.json does not have ada/tiny')

    // A file whose object is missing would make the set easier in silence.
    const partial = fixtureRepository(join(scene.repo, 'less/ada/tiny'))
    writeTree(partial.work, { 'pkg/session.py': 'cookies = {}\n', 'gone.py': 'x = 1\n' })
    const commit = partial.commit('2020-01-01T00:00:00Z')
    const gone = partial.git('rev-parse', 'HEAD:gone.py')
    rmSync(join(partial.gitDirectory, 'objects', gone.slice(0, 2), gone.slice(2)))
    scene.write('issues/instances.jsonl', lines([issue('a', commit, [fix])]))
    const lacking = await run('--split', 'files', '--mirrors', 'less')
    expect(lacking).toMatchObject({ code: 1 })
    expect(lacking.stdout).toContain('left out: 1 × The repository lacks gone.py')
  })
})

describe('bench of a list of questions', () => {
  const QUESTIONS = [
    { id: 'TC-01', tier: 1, query: 'open_session', expected_files: ['pkg/session.py'] },
    { id: 'TC-02', tier: 2, query: 'parse a header', expected_files: ['pkg/parser.py', 'absent.py'] },
  ]

  story('gives points for files of a repository that the caller names', async scene => {
    const { base, head } = cloneWithFix(scene)
    scene.write('codescout/natural.json', JSON.stringify(QUESTIONS))
    const run = (...args: string[]) => scene.run('bench', 'codescout', '--fast', '--out', ...args)
    const ran = await run('out', '--repository', 'clones/ada/tiny')
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout).toContain('2 questions, ranks of places in files and of files')
    // Three points for the first, and two for half of the files among the first five.
    expect(ran.stdout).toMatch(/\| single query \| 5 of 6 +\| 5 of 6 +\|/)
    expect(ran.stdout).toContain('asked of tiny at HEAD')
    expect(ran.stdout).toContain(`HEAD was ${head}`)
    expect(ran.stdout).toContain('tier-1 (1)')
    expect(ran.stdout).not.toContain(scene.repo)
    const svg = readFileSync(join(scene.repo, 'out/plot.svg'), 'utf8')
    expect(svg).toContain('points by file')
    expect(svg).toContain('>3</text>')

    const less = await run('less', '--repository', `clones/ada/tiny@${base}`, '--without', 'pkg/parser.py')
    expect(less.stdout).toMatch(/\| single query \| 3 of 6 /)
    expect(less.stdout).toContain(`asked of tiny at ${base.slice(0, 12)}, without pkg/parser.py`)

    // The published list of that name has its repository, which has to be there.
    const published = await run('published', '--mirrors', 'clones')
    expect(published).toMatchObject({ code: 1 })
    expect(published.stdout).toContain('--mirrors has no clone of mareurs/codescout')
    expect(published.stdout).toContain('git clone --mirror https://github.com/mareurs/codescout.git')
  })

  story('without labels says how far rows are from each other', async scene => {
    cloneWithFix(scene)
    scene.write('mine.json', JSON.stringify(['open_session', 'parse a header']))
    const run = (...args: string[]) => scene.run('bench', 'mine.json', '--fast', '--out', 'out', ...args)
    const unnamed = await run()
    expect(unnamed).toMatchObject({ code: 2 })
    expect(unnamed.stderr).toContain('does not say which repository its questions are about')
    expect(unnamed.stderr).toMatch(/hint: quarry bench .*mine\.json --repository DIRECTORY/)
    const alone = await run('--repository', 'clones/ada/tiny')
    expect(alone).toMatchObject({ code: 2 })
    expect(alone.stderr).toContain('have no labels')
    expect(alone.stderr).toContain('hint: add a row: --multi-hop')
    const ran = await run('--repository', 'clones/ada/tiny', '--multi-hop', '--profile', 'best,classic')
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout).toMatch(/\| best, single query +\| +1\.000 \| +0\.000 \| +0\.000 \|/)
    expect(ran.stdout).toMatch(/\| best, multi-hop +\|/)
    expect(questionsOf(scene, 'out')).toHaveLength(8)

    const nowhere = await run('--repository', 'nowhere')
    expect(nowhere.stderr).toContain('There is no repository at nowhere')
    scene.write('mine.json', JSON.stringify([{ query: 'x', expected_files: [] }]))
    expect((await run('--repository', 'clones/ada/tiny')).stderr).toMatch(/mine\.json: .*expected_files/)
    scene.write('mine.json', '[]')
    expect((await run('--repository', 'clones/ada/tiny')).code).toBe(1)
    scene.write('mine.json', '["open_session" "parse a header"]')
    expect((await run('--repository', 'clones/ada/tiny')).stderr).toContain('mine.json is not JSON')
    scene.write('mine.json', '[{"query" "x"}]')
    expect((await run('--repository', 'clones/ada/tiny')).stderr).toContain('mine.json:1 is not JSON')
  })
})
