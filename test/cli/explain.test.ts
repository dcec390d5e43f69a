import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type FixtureRepository, gitRepository } from '../fixtures/git-repository.js'
import { type Scene, story } from '../story/story.js'

const numbered = (from: number, to: number): string[] =>
  Array.from(
    { length: to - from + 1 },
    (_, at) => `  total += compute(${from + at}, 'line number ${from + at}')`,
  )

const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`

/** A file of 30 lines with a past: written, changed, moved, changed again. */
const withPast = (scene: Scene) => {
  const repository = gitRepository(scene.repo)
  const lines = ['export const price = (total: number): number => {', ...numbered(2, 29), '}']
  const one = repository.commit('Compute the price', { 'src/old.ts': text(lines) })
  lines[9] = "  total += discount(10, 'a rebate for line 10')"
  const two = repository.commit('Give a discount on line ten\n\nCustomers asked for it.', {
    'src/old.ts': text(lines),
  })
  repository.git('mv', 'src/old.ts', 'src/price.ts')
  const three = repository.commit('Move the price')
  lines[9] = "  total += discount(10, 'a smaller rebate for line 10')"
  lines[19] = `      ${lines[19]!.trim()}`
  const four = repository.commit('Make the discount smaller', { 'src/price.ts': text(lines) })
  const five = repository.commit('Say hello elsewhere', { 'src/hello.ts': 'export const hello = 1\n' })
  return { repository, lines, shas: { one, two, three, four, five } }
}

interface Entry {
  readonly commit: string
  readonly provenance: string
  readonly role: string
  readonly share: number
  readonly lines: readonly (readonly [number, number])[]
  readonly path: string
  readonly text: string
  readonly change: string | null
  readonly oldPath?: string
  readonly message: string
}
interface Shape {
  readonly path: string
  readonly at: string | null
  readonly startLine: number
  readonly endLine: number
  readonly exact: readonly Entry[]
  readonly uncommitted: { share: number; lines: number[][] } | null
  readonly related: readonly (Entry & { why: string; score: number })[]
  readonly warnings: readonly { code: string; message: string; hint?: string }[]
  readonly index: { documents: number } | null
}

const explain = async (scene: Scene, ...args: string[]): Promise<Shape> => {
  const { code, stdout, stderr } = await scene.run('explain', '--json', ...args)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

/** The commit of each line, as git itself says. */
const blamed = (repository: FixtureRepository, ...args: string[]): string[] =>
  repository
    .git('blame', '-M', '-C', '--line-porcelain', ...args)
    .split('\n')
    .flatMap(line => /^([0-9a-f]{40}) \d+ \d+/.exec(line)?.[1] ?? [])

/** The same from an explanation. */
const byLine = ({ exact, startLine, endLine }: Shape): (string | undefined)[] =>
  Array.from({ length: endLine - startLine + 1 }, (_, at) =>
    exact
      .filter(({ role }) => role === 'wrote')
      .find(({ lines }) => lines.some(([start, end]) => start <= startLine + at && startLine + at <= end)),
  ).map(entry => entry?.commit)

describe('quarry explain', () => {
  story(
    'says of lines what git blame says, newest first, with the hunk that did it, without an index',
    async scene => {
      const { repository, shas } = withPast(scene)
      const answer = await explain(scene, 'src/price.ts:8-12')
      expect(answer).toMatchObject({
        path: 'src/price.ts',
        at: null,
        startLine: 8,
        endLine: 12,
        uncommitted: null,
      })
      expect(answer.exact.map(({ commit, share, lines }) => [commit, share, lines])).toEqual([
        [shas.four, 0.2, [[10, 10]]],
        [
          shas.one,
          0.8,
          [
            [8, 9],
            [11, 12],
          ],
        ],
      ])
      const [newest, oldest] = answer.exact
      expect(newest).toMatchObject({
        ...{ author: 'Ada Lovelace', email: 'ada@example.org', message: 'Make the discount smaller' },
        ...{ provenance: 'exact', role: 'wrote', path: 'src/price.ts', change: 'modified' },
      })
      expect(newest!.text).toContain("+  total += discount(10, 'a smaller rebate for line 10')")
      // Where the lines come from under another name, they are told under that name.
      expect(oldest).toMatchObject({ path: 'src/old.ts', change: 'added', startLine: 1, endLine: 30 })
      expect(byLine(answer)).toEqual(blamed(repository, '-L8,12', 'HEAD', '--', 'src/price.ts'))
      expect(answer.related).toEqual([])
      expect(answer.index).toBe(null)
      expect(answer.warnings).toEqual([
        expect.objectContaining({ code: 'NO_HISTORY_INDEX', hint: 'quarry index' }),
      ])
      const whole = await explain(scene, 'src/price.ts', '--no-related')
      expect([whole.startLine, whole.endLine, whole.warnings]).toEqual([1, 30, []])
      expect(byLine(whole)).toEqual(blamed(repository, 'HEAD', '--', 'src/price.ts'))
      const one = await explain(scene, `${scene.repo}/src/price.ts:20`)
      expect(one).toMatchObject({
        path: 'src/price.ts',
        startLine: 20,
        endLine: 20,
        exact: [{ commit: shas.four }],
      })
      expect((await explain(scene, './src/price.ts:20', '-w')).exact).toMatchObject([
        { commit: shas.one, share: 1 },
      ])
    },
  )

  story('adds related commits from the index, labelled as inferred and with a reason', async scene => {
    const { repository, shas, lines } = withPast(scene)
    const other = repository.commit('Make the discount smaller for friends', {
      'src/friends.ts': 'export const friends = () => 2\n',
    })
    expect((await scene.run('index', '--fast', '--offline')).code).toBe(0)
    const { exact, related, warnings, index } = await explain(scene, 'src/price.ts:8-12')
    expect(exact.map(({ commit }) => commit)).toEqual([shas.four, shas.one])
    expect(exact[0]!.text).toContain('+  total += discount')
    expect(related[0]).toMatchObject({
      ...{ commit: shas.two, why: 'touched the same lines before', provenance: 'inferred', role: 'related' },
      ...{ path: 'src/old.ts', message: 'Give a discount on line ten\n\nCustomers asked for it.' },
    })
    expect(related.find(({ commit }) => commit === other)).toMatchObject({
      why: 'same topic',
      path: 'src/friends.ts',
    })
    for (const { commit } of exact) expect(related.map(other => other.commit)).not.toContain(commit)
    expect(related.every(({ provenance, score }) => provenance === 'inferred' && score > 0)).toBe(true)
    expect(warnings).toEqual([])
    expect(index?.documents).toBe(6)
    expect((await explain(scene, 'src/price.ts:8-12', '-k', '1')).related).toHaveLength(1)
    expect((await explain(scene, 'src/price.ts:8-12', '--no-related')).related).toEqual([])
    // A commit that the index does not have yet is explained all the same.
    lines[9] = "  total += discount(10, 'hardly any rebate')"
    const late = repository.commit('Hardly any discount', { 'src/price.ts': text(lines) })
    const later = await explain(scene, 'src/price.ts:8-12')
    expect(later.exact[0]).toMatchObject({ commit: late, text: expect.stringContaining('hardly any rebate') })
    expect(later.related[0]).toMatchObject({ commit: shas.four, why: 'touched the same lines before' })
  })

  story('commits of the same function are related by its name', async scene => {
    const repository = gitRepository(scene.repo)
    const body = (first: string, last: string) =>
      `def settle(order):\n    ${first}\n${Array.from({ length: 12 }, (_, at) => `    step_${at}(order)\n`).join('')}    ${last}\n`
    repository.commit('Settle orders', { 'shop.py': body('open(order)', 'close(order)') })
    const top = repository.commit('Audit the opening', { 'shop.py': body('audit(order)', 'close(order)') })
    const bottom = repository.commit('Notify at the end', {
      'shop.py': body('audit(order)', 'notify(order)'),
    })
    expect((await scene.run('index', '--fast', '--offline')).code).toBe(0)
    const { exact, related } = await explain(scene, 'shop.py:15')
    expect(exact).toMatchObject([{ commit: bottom, symbol: 'settle' }])
    expect(related.find(({ commit }) => commit === top)).toMatchObject({ why: 'same symbol' })
  })

  story('lines of the work tree that no commit has yet are said to be so', async scene => {
    const { shas, lines } = withPast(scene)
    const edited = [...lines.slice(0, 3), '  // a new remark', '  // and another', ...lines.slice(3)]
    edited[11] = "  total += discount(10, 'nothing')"
    scene.write('src/price.ts', text(edited))
    const answer = await explain(scene, 'src/price.ts:3-14', '--no-related')
    expect(answer.uncommitted).toEqual({
      share: 0.25,
      lines: [
        [4, 5],
        [12, 12],
      ],
    })
    expect(answer.exact.map(({ commit, lines: own }) => [commit, own])).toEqual([
      [
        shas.one,
        [
          [3, 3],
          [6, 11],
          [13, 14],
        ],
      ],
    ])
    const { stdout } = await scene.run('explain', 'src/price.ts:3-14')
    expect(stdout).toMatch(/^not committed yet\n {2}25 % {2}lines 4–5, 12\n/)
    // White space alone is no new line where it is to be ignored.
    scene.write('src/price.ts', text(lines.map(line => `  ${line}`)))
    expect((await explain(scene, 'src/price.ts', '-w', '--no-related')).uncommitted).toBe(null)
    // Line ends are git's business on some systems.
    scene.write('src/price.ts', lines.map(line => `${line}\r\n`).join(''))
    expect((await explain(scene, 'src/price.ts', '--no-related')).uncommitted).toBe(null)
    scene.write('src/fresh.ts', 'export {}\n')
    const fresh = await scene.run('explain', 'src/fresh.ts', '--json')
    expect(fresh.code).toBe(1)
    expect(JSON.parse(fresh.stdout)).toMatchObject({
      ...{ exact: [], uncommitted: { share: 1, lines: [[1, 1]] } },
      warnings: [{ code: 'NOT_COMMITTED' }, { code: 'NO_HISTORY_INDEX' }],
    })
    // Deleted, but not in any commit: the last one still has it.
    unlinkSync(join(scene.repo, 'src/price.ts'))
    const gone = await explain(scene, 'src/price.ts:10', '--no-related')
    expect(gone).toMatchObject({
      at: shas.five,
      exact: [{ commit: shas.four }],
      warnings: [{ code: 'NOT_IN_WORK_TREE' }],
    })
  })

  story('a deleted file is explained by its last version, after the commit that deleted it', async scene => {
    const { repository, shas } = withPast(scene)
    repository.git('rm', '-q', 'src/price.ts')
    const deletion = repository.commit('Prices are no longer computed here')
    repository.commit('Something else', { 'src/hello.ts': 'export const hello = 2\n' })
    const check = async () => {
      const answer = await explain(scene, 'src/price.ts:10')
      expect(answer.at).toBe(shas.five)
      expect(
        answer.exact.map(({ commit, role, provenance, share }) => [commit, role, provenance, share]),
      ).toEqual([
        [deletion, 'removed', 'exact', 1],
        [shas.four, 'wrote', 'exact', 1],
      ])
      expect(answer.exact[0]).toMatchObject({ change: 'deleted', path: 'src/price.ts' })
      expect(answer.exact[0]!.text).toContain("-  total += discount(10, 'a smaller rebate for line 10')")
      // Moved without a change: no hunk tells of it, git does.
      const moved = await explain(scene, 'src/old.ts:10')
      expect(moved.exact[0]).toMatchObject({
        ...{
          commit: shas.three,
          role: 'moved',
          change: 'renamed',
          path: 'src/price.ts',
          oldPath: 'src/old.ts',
        },
      })
      expect(moved.exact[1]).toMatchObject({ commit: shas.two, role: 'wrote' })
    }
    await check()
    const { stdout } = await scene.run('explain', 'src/price.ts:10')
    expect(stdout).toContain('exact, deleted here')
    expect((await scene.run('index', '--fast', '--offline')).code).toBe(0)
    await check()
    // The index names the commit at once: git need not find it.
    const log = join(scene.home, 'git.log')
    const folder = spyOnGit(scene, log)
    const spied = { environment: { PATH: `${folder}:${process.env.PATH}` } }
    expect((await scene.runWith(spied, 'explain', 'src/price.ts:10', '--json')).code).toBe(0)
    expect(readFileSync(log, 'utf8')).not.toContain('--diff-filter')
    // An index that is behind is not believed: the file came back, and went again.
    repository.commit('Prices are back', { 'src/price.ts': 'export const price = 1\n' })
    repository.git('rm', '-q', 'src/price.ts')
    const again = repository.commit('No prices, really')
    expect((await explain(scene, 'src/price.ts')).exact[0]!.commit).toBe(again)
  })

  story('an old revision is explained with what became of its lines later', async scene => {
    const { repository, shas } = withPast(scene)
    repository.git('tag', '-a', '-m', 'first', 'v1', shas.one)
    const answer = await explain(scene, 'src/old.ts:9-11', '--at', 'v1', '--no-related')
    expect(answer.at).toBe(shas.one)
    expect(
      answer.exact.map(({ commit, role, provenance, lines }) => [commit, role, provenance, lines]),
    ).toEqual([
      [shas.two, 'removed', 'exact', [[10, 10]]],
      [shas.one, 'wrote', 'exact', [[9, 11]]],
    ])
    expect(answer.exact[0]!.text).toContain('-  total += compute(10')
    // Through the rename, up to the commit that deletes the file.
    repository.git('rm', '-q', 'src/price.ts')
    const deletion = repository.commit('Delete the price')
    const later = await explain(scene, 'src/old.ts:9-10', '--at', shas.two.slice(0, 10), '--no-related')
    expect(later.exact.map(({ commit, role, lines }) => [commit, role, lines])).toEqual([
      [deletion, 'removed', [[9, 9]]],
      [shas.four, 'removed', [[10, 10]]],
      [shas.two, 'wrote', [[10, 10]]],
      [shas.one, 'wrote', [[9, 9]]],
    ])
    expect((await scene.run('explain', 'src/old.ts:9-10', '--at', shas.two)).stdout).toContain(
      'removed or changed here',
    )
    repository.git('checkout', '-q', '--orphan', 'other')
    repository.commit('Another beginning')
    const aside = await explain(scene, 'src/old.ts:9', '--at', 'v1', '--no-related')
    expect(aside.exact).toMatchObject([{ commit: shas.one }])
    expect(aside.warnings).toMatchObject([{ code: 'LATER_UNKNOWN' }])
  })

  story('odd names, odd line ends, and places as others write them', async scene => {
    const repository = gitRepository(scene.repo)
    const sha = repository.commit('Odd files', {
      '-rf.py': 'x = 1\ny = 2\n',
      'cr.py': 'a = 1\rb = 2\rc = 3\rd = 4\r',
    })
    const told = async (...args: readonly string[]) => {
      const { stdout, stderr } = await scene.run('explain', '--no-related', '--json', ...args)
      expect([args, stderr]).toEqual([args, ''])
      const { startLine, endLine, exact, uncommitted } = JSON.parse(stdout)
      return [
        startLine,
        endLine,
        exact.map(({ commit, lines }: Entry) => [commit, lines]),
        uncommitted?.lines,
      ]
    }
    const is = (start: number, end: number) => [start, end, [[sha, [[start, end]]]], undefined]
    expect(await told('--', '-rf.py:2')).toEqual(is(2, 2))
    expect(await told('./-rf.py')).toEqual(is(1, 2))
    expect((await scene.run('explain', '--', '-no.py')).stderr).toContain('looks like an option')
    expect(await told('cr.py:3')).toEqual(is(3, 3))
    expect(await told('cr.py:1:4')).toEqual(is(1, 1))
    expect(await told('cr.py#L2')).toEqual(is(2, 2))
    expect(await told('cr.py#L2-L4')).toEqual(is(2, 4))
    scene.write('cr.py', 'a = 1\rb = 2\rnew = 3\rd = 4\r')
    expect(await told('cr.py')).toEqual([
      1,
      4,
      [
        [
          sha,
          [
            [1, 2],
            [4, 4],
          ],
        ],
      ],
      [[3, 3]],
    ])
  })

  story('more commits than asked for are counted', async scene => {
    const repository = gitRepository(scene.repo)
    const lines: string[] = []
    const shas: string[] = []
    for (let at = 0; at < 8; at++) {
      lines.push(`a line that is number ${at} of this list`)
      shas.push(repository.commit(`Line ${at}`, { 'list.txt': text(lines) }))
    }
    const { exact, warnings } = await explain(scene, 'list.txt', '--no-related')
    expect(exact.map(({ commit }) => commit)).toEqual(shas.slice(3).reverse())
    expect(warnings).toEqual([
      { code: 'MORE_COMMITS', message: '3 more commits wrote 38 % of the lines', hint: '-k 8' },
    ])
    expect((await explain(scene, 'list.txt', '--no-related', '-k', '8')).exact).toHaveLength(8)
  })

  story('as text and as Markdown', async scene => {
    const { shas } = withPast(scene)
    const shown = await scene.run('explain', 'src/price.ts:8-12')
    expect(shown.code).toBe(0)
    expect(shown.stdout).toMatch(
      /^[0-9a-f]{12} {2}2020-01-01 {2}Ada Lovelace {2}Make the discount smaller\n {2}20 % {2}line 10 {2}exact\nsrc\/price\.ts:7/,
    )
    expect(shown.stdout).toContain("\n  -  total += discount(10, 'a rebate for line 10')\n")
    expect(shown.stdout).toContain('80 %  lines 8–9, 11–12  exact')
    expect(shown.stderr).toContain(
      'warning: No related commits: the history is not indexed yet\n   hint: quarry index\n',
    )
    expect(shown.stderr).toMatch(/2 commits explain 100 % of 5 lines\n$/)
    const compact = await scene.run('explain', 'src/price.ts:8-12', '--detail', 'compact')
    expect(compact.stdout.trim().split('\n')).toHaveLength(2)
    const markdown = await scene.run('explain', 'src/price.ts:8-12', '--format', 'markdown')
    expect(markdown.stdout).toContain('## `src/price.ts:8-12`\n')
    expect(markdown.stdout).toContain(`### \`${shas.four.slice(0, 12)}\` 2020-01-01 \`Ada Lovelace\``)
    expect(markdown.stdout).toContain('```diff\n@@')
    expect((await scene.run('explain', 'src/price.ts:10', '--color', 'always')).stdout).toContain('\x1b[')
  })

  story('what a commit says is made safe for the terminal', async scene => {
    const repository = gitRepository(scene.repo)
    repository.commit(
      'Title \x1b]0;owned\x07 end',
      { 'a.txt': 'red \x1b[31m text\n' },
      { author: 'Eve \x1b[2J' },
    )
    for (const format of ['text', 'markdown']) {
      const { stdout } = await scene.run('explain', 'a.txt', '--format', format)
      expect(stdout).toContain('Title')
      expect(stdout).not.toContain('\x1b')
    }
  })

  story('a directory of the repository, a bare one and an empty one', async scene => {
    const { repository, shas } = withPast(scene)
    const below = await scene.run('explain', 'price.ts:10', '--json', '--repo', join(scene.repo, 'src'))
    expect(JSON.parse(below.stdout)).toMatchObject({
      path: 'price.ts',
      exact: [{ commit: shas.four, path: 'price.ts', text: expect.stringContaining('+  total') }],
    })
    const bare = join(scene.home, 'bare.git')
    mkdirSync(scene.home, { recursive: true })
    repository.git('clone', '-q', '--bare', '.', bare)
    const served = await scene.run('explain', 'src/price.ts:10', '--json', '--repo', bare)
    expect(JSON.parse(served.stdout)).toMatchObject({ at: shas.five, exact: [{ commit: shas.four }] })
    const empty = join(scene.home, 'empty')
    gitRepository(empty).write({ 'a.txt': 'one\n' })
    const unborn = await scene.run('explain', 'a.txt', '--json', '--repo', empty)
    expect(unborn.code).toBe(1)
    expect(JSON.parse(unborn.stdout)).toMatchObject({ exact: [], uncommitted: { share: 1 } })
  })

  story('merges, SHA-256 and shallow clones', async scene => {
    const repository = gitRepository(scene.repo, { objectFormat: 'sha256' })
    repository.commit('Base', { 'a.txt': 'one\ntwo\nthree\n' })
    repository.git('checkout', '-q', '-b', 'side')
    repository.commit('Side', { 'b.txt': 'side\n' })
    repository.git('checkout', '-q', 'main')
    repository.commit('Main', { 'c.txt': 'main\n' })
    repository.git('merge', '-q', '--no-ff', '--no-commit', 'side')
    const merge = repository.commit('Merge with a twist', {
      'a.txt': 'one\nthe merge wrote this line itself\nthree\n',
    })
    expect(merge).toHaveLength(64)
    expect((await scene.run('index', '--fast', '--offline')).code).toBe(0)
    const { exact } = await explain(scene, 'a.txt:2', '--no-related')
    expect(exact).toMatchObject([{ commit: merge, text: expect.stringContaining('+the merge wrote') }])
    const clone = join(scene.home, 'shallow')
    repository.git('clone', '-q', '--depth=1', `file://${scene.repo}`, clone)
    const cut = await scene.run('explain', 'a.txt', '--json', '--no-related', '--repo', clone)
    expect(JSON.parse(cut.stdout)).toMatchObject({
      exact: [{ commit: merge, share: 1 }],
      warnings: [{ code: 'SHALLOW', hint: 'git fetch --unshallow' }],
    })
  })

  story('bad places are refused with a hint, and nothing is run', async scene => {
    const { lines } = withPast(scene)
    symlinkSync('/etc', join(scene.repo, 'outside'))
    symlinkSync('price.ts', join(scene.repo, 'src/link.ts'))
    scene.write('picture.bin', Buffer.from([1, 0, 2, 10]))
    scene.write('empty.txt', '')
    const refused = async (code: string, words: string, ...args: string[]) => {
      const { code: exit, stdout, stderr } = await scene.run('explain', '--json', ...args)
      expect([args, exit, stdout]).toEqual([args, 2, ''])
      const { error } = JSON.parse(stderr)
      expect([args, error.code, error.message]).toEqual([args, code, expect.stringContaining(words)])
      expect(error.hint).toMatch(/\w/)
    }
    expect(lines).toHaveLength(30)
    await refused('BAD_INPUT', 'missing')
    await refused('BAD_INPUT', 'src/price.ts has only 30 lines', 'src/price.ts:31')
    await refused('BAD_INPUT', 'src/price.ts has only 30 lines', 'src/price.ts:30-31')
    await refused('BAD_INPUT', 'src/old.ts has only 30 lines', 'src/old.ts:20-40', '--at', 'HEAD~3')
    await refused('BAD_INPUT', 'src/old.ts has only 30 lines', 'src/old.ts:31', '--at', 'HEAD~3')
    for (const range of ['0', '0-3', '5-3', '3-', '-3', '1-2-3', '99999999999'])
      await refused('BAD_INPUT', 'no range of lines', `src/price.ts:${range}`)
    await refused('BAD_INPUT', 'is empty', 'empty.txt')
    await refused('BAD_PATH', 'is a directory', 'src')
    await refused('BAD_PATH', 'is a directory', scene.repo)
    await refused('BAD_PATH', 'There is no file src/nothing.ts', 'src/nothing.ts')
    await refused('BAD_PATH', 'There is no file', 'src/price.ts', '--at', 'HEAD~4')
    await refused('BAD_PATH', 'outside', '../secret.ts')
    await refused('BAD_PATH', 'outside', 'src/../../secret.ts')
    await refused('BAD_PATH', 'outside', '/etc/passwd')
    await refused('BAD_PATH', 'link', 'outside/passwd')
    await refused('BAD_PATH', 'link', 'src/link.ts')
    await refused('BAD_PATH', 'is not text', 'picture.bin')
    await refused('BAD_PATH', 'climbs out', '.git/config')
    await refused('BAD_PATH', 'looks like an option', '--', '-rf.ts')
    await refused('BAD_PATH', 'looks like an option', '--', '--output=canary:1')
    await refused('BAD_PATH', 'is a pattern', ':(glob)**')
    await refused('BAD_INPUT', 'looks like an option', 'src/price.ts', '--at=--output=canary')
    await refused('BAD_INPUT', 'is a range', 'src/price.ts', '--at', 'HEAD~2..HEAD')
    await refused('BAD_INPUT', 'names no commit', 'src/price.ts', '--at', 'nowhere')
    await refused('BAD_INPUT', '1 to 20', 'src/price.ts', '-k', '21')
    await refused('BAD_INPUT', '1 to 20', 'src/price.ts', '-k', '0')
    renameSync(join(scene.repo, '.git'), join(scene.home, '..', 'hidden'))
    await refused('NOT_A_REPOSITORY', 'No git repository', 'src/price.ts')
  })

  story('a damaged history index costs the related commits only', async scene => {
    const { shas } = withPast(scene)
    expect((await scene.run('index', '--fast', '--offline')).code).toBe(0)
    const found = execFileSync('find', [scene.home, '-path', '*history/index.sqlite'], {
      encoding: 'utf8',
    }).trim()
    writeFileSync(found, 'this is no database, whatever it is called '.repeat(200))
    const answer = await explain(scene, 'src/price.ts:10')
    expect(answer.exact).toMatchObject([{ commit: shas.four }])
    expect([answer.related, answer.index]).toEqual([[], null])
    expect(answer.warnings).toMatchObject([{ code: 'NO_HISTORY_INDEX', hint: expect.any(String) }])
  })
})

/** A git that writes down what it is asked before it answers. Gives the folder to put first on the path. */
const spyOnGit = (scene: Scene, log: string): string => {
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim()
  const folder = join(scene.home, 'spy')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho "$@" >> '${log}'\nexec '${real}' "$@"\n`, {
    mode: 0o755,
  })
  return folder
}
