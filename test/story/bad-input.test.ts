import { describe, expect } from 'vitest'
import { gitRepository } from '../fixtures/git-repository.js'
import { smallRepository } from './repository.js'
import { story } from './story.js'

describe('bad input', () => {
  story('an empty question is an empty answer with a warning', async scene => {
    smallRepository(scene)
    for (const question of ['', '   ', '\n']) {
      const { code, stdout, stderr } = await scene.run('search', question)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^warning: .*empty/m)
      expect(stderr).not.toContain('vectors complete')
    }
    const { code, stdout } = await scene.run('search', '', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ query: '', hits: [], warnings: [{ code: 'EMPTY_QUESTION' }] })
  })

  story('limits out of range name the flag', async scene => {
    for (const limit of ['0', '-1', 'x', '1e9', '1001', '1.5', 'NaN', '', ' 7', '0x10', '٣']) {
      const { code, stdout, stderr } = await scene.run('search', 'x', '-k', limit)
      expect([limit, code, stdout]).toEqual([limit, 2, ''])
      expect(stderr).toMatch(/^error: .*--limit.* from 1 to 1000/m)
    }
    for (const flag of [
      '--hops',
      '--max-per-file',
      '--since',
      '--kind',
      '--profile',
      '--detail',
      '--color',
      '--format',
    ]) {
      const { code, stderr } = await scene.run('search', 'x', flag, '__proto__')
      expect([flag, code]).toEqual([flag, 2])
      expect(stderr).toContain(`error: option '${flag}`)
    }
    expect(
      (await scene.run('search', 'x', '--since', '2024-05-02', '--until', '2024-05-01')).stderr,
    ).toContain('--since')
  })

  story('questions with emoji, FTS syntax or 100 KB are answered', async scene => {
    smallRepository(scene)
    for (const question of [
      '😀',
      '"unbalanced',
      'a AND (b',
      'body:x*',
      'NEAR(a b)',
      '%_',
      'invoice '.repeat(12_500),
    ]) {
      const { code, stderr } = await scene.run('search', question, '--json')
      expect([0, 1]).toContain(code)
      expect(stderr).toBe('')
    }
  })

  story(
    'a question of which no word stands in the index, or which is cut, is answered and says so',
    async scene => {
      smallRepository(scene)
      const warned = async (question: string) => {
        const { stdout } = await scene.runWith({ stdin: question }, 'search', '--queries', '-')
        const { hits, warnings } = JSON.parse(stdout)
        expect(hits.length).toBeGreaterThan(0)
        return warnings.map(({ code }: { code: string }) => code)
      }
      expect(await warned('zzzzqqq')).toContain('NO_WORD_FOUND')
      expect(await warned('zzzzqqq of an invoice')).not.toContain('NO_WORD_FOUND')
      expect(await warned('what is it')).not.toContain('NO_WORD_FOUND')
      expect(await warned('invoice '.repeat(5_000))).toContain('QUESTION_CUT')
      const { code, stderr } = await scene.run('search', 'zzzzqqq')
      expect([code, stderr]).toEqual([0, expect.stringContaining('warning: No word of the question occurs')])
      await scene.run('remember', 'staging listens on port 5433')
      expect((await scene.run('recall', 'zzzzqqq')).stderr).toContain('occurs in the notes')
      expect((await scene.run('ask', 'port', '--language', 'note', '--detail', 'compact')).stdout).toContain(
        '5433',
      )
      const nosuch = (await scene.run('recall', 'port', '--session', 'nosuch')).stderr
      expect(nosuch).toContain('no note of the conversation nosuch')
      expect(nosuch).not.toContain('vectors complete')
    },
  )

  story('a filter that can fit nothing is refused, and one that fits nothing is named', async scene => {
    smallRepository(scene)
    const ask = (...flags: string[]) => scene.run('search', 'invoice', ...flags)
    const bomb = '{a,b}'.repeat(8)
    for (const [flags, hint] of [
      [['--language', 'pyton'], 'did you mean python?'],
      [['--language', 'klingon'], 'known are ada, '],
      [['--path', bomb], '--path'],
    ] as const) {
      const { code, stdout, stderr } = await ask(...flags)
      expect([flags, code, stdout]).toEqual([flags, 2, ''])
      expect(stderr).toMatch(/^error: /)
      expect(stderr).toContain(hint)
    }
    for (const [flags, code, hint] of [
      [['--kind', 'hunk'], 1, 'quarry find "…"'],
      [['--kind', 'code', '--kind', 'hunk'], 0, 'quarry ask "…" --kind code --kind hunk'],
      [['--author', 'bob'], 1, 'quarry find "…" --author "bob"'],
    ] as const) {
      const ran = await ask(...flags)
      expect([flags, ran.code]).toEqual([flags, code])
      expect(ran.stderr).toContain(`   hint: ${hint}\n`)
    }
    const nothing = await ask('--language', 'haskell', '--path', 'src/**')
    expect(nothing.code).toBe(1)
    expect(nothing.stderr).toContain('warning: Nothing that fits was found: language haskell, path src/**')
    // A whole path below the root is what shells hand out.
    for (const path of [`${scene.repo}/src/billing/**`, `${scene.repo}/src/billing/invoice.go`])
      expect((await ask('--path', path, '--detail', 'compact')).stdout).toMatch(/^src\/billing\/invoice\.go:/)
    expect((await ask('--path', `!${scene.repo}/src`)).stdout).not.toContain('invoice.go:')
  })

  story('where there is nothing to search, the answer says why', async scene => {
    expect((await scene.run('search', 'x')).stderr).toContain('There are no files to search here')
    const { gitDirectory } = gitRepository(`${scene.repo}-bare`, { bare: true })
    for (const command of [['search', 'x'], ['status']])
      expect((await scene.run(...command, '--repo', gitDirectory)).stderr).toContain('bare repository')
  })

  story('a question that looks like a flag is found after --', async scene => {
    smallRepository(scene)
    scene.write('hook.sh', 'git commit --no-verify\n')
    const refused = await scene.run('search', '--no-verify')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/^error: unknown option '--no-verify'\n hint: /)
    const found = await scene.run('search', '--json', '--', '--no-verify')
    expect(found.code).toBe(0)
    expect(JSON.parse(found.stdout)).toMatchObject({ query: '--no-verify' })
    expect((await scene.run('search', '--', '--json')).stderr).toMatch(/hits? · /)
  })

  story('unknown commands, options and surplus words come with a suggestion', async scene => {
    const first = async (...args: string[]) => {
      const { code, stdout, stderr } = await scene.run(...args)
      expect([code, stdout]).toEqual([2, ''])
      return stderr
    }
    expect(await first('serach', 'x')).toBe("error: unknown command 'serach'\n hint: did you mean search?\n")
    expect(await first('search', 'x', '--lmit', '3')).toBe(
      "error: unknown option '--lmit'\n hint: did you mean --limit?\n",
    )
    expect(await first('search', 'two', 'words')).toMatch(/^error: too many arguments.*\n hint: .*quotes/)
    for (const [words, hint] of [
      [['remember', 'a', 'b'], 'quarry remember "several words"'],
      [['explain', 'f', '10'], 'quarry explain FILE:10'],
      [['index', 'a', 'b'], 'quarry index DIR'],
      [['mcp', 'bogus'], 'quarry mcp install'],
      [['forget'], 'quarry notes list'],
    ] as const)
      expect(await first(...words)).toContain(hint)
    expect(await first('search')).toMatch(/^error: The question is missing\n hint: quarry search/)
    expect(await first('search', 'x', '--json', '--jsonl')).toContain('BAD_INPUT')
    expect(await first('index', '--fast', '--wait')).toContain('cannot be used with')
    expect(await first()).toContain('Usage: quarry')
    expect(await first('models')).toContain('Usage: quarry models')
    expect(JSON.parse(await first('status', '--json', '--bogus'))).toMatchObject({
      error: { code: 'BAD_INPUT' },
    })
    expect(await first('\x1b[31mevil')).toBe("error: unknown command '␛[31mevil'\n hint: quarry --help\n")
  })

  story('a directory that is not there is named', async scene => {
    for (const args of [
      ['search', 'x', '--repo', '/no/such'],
      ['index', '/no/such'],
      ['status', '--repo', 'file'],
    ]) {
      scene.write('file', 'x')
      const { code, stderr } = await scene.run(...args)
      expect(code).toBe(2)
      expect(stderr).toMatch(/^error: .*(no\/such|file)/)
      expect(stderr).not.toContain('    at ')
    }
  })

  story('a home where no directory can be made is refused at once', async scene => {
    // Only Linux shows itself as files; elsewhere such a path is an ordinary one that may not be made.
    for (const command of [
      ['search', 'x'],
      ['remember', 'x'],
    ] as const) {
      const environment = { QUARRY_HOME: '/proc/nope' }
      const { code, stderr } = await scene.runWith({ environment }, ...command)
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/^error: .*\/proc\/nope.*\n hint: QUARRY_HOME=/),
      ])
    }
  })
})
