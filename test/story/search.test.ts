import { describe, expect } from 'vitest'
import { smallRepository } from './repository.js'
import { story } from './story.js'

/** Small functions that share a chunk. */
const COOKIES = `res.get = function(field){
  return this.getHeader(field);
};

/**
 * Answers with a status.
 */

res.status = function status(code) {
  this.statusCode = code;
  return this;
};

/**
 * Clear cookie \`name\`.
 *
 * @param {String} name
 */

res.clearCookie = function clearCookie(name, options) {
  const opts = { path: '/', ...options, expires: new Date(1)};
  return this.cookie(name, '', opts);
};

res.end = function end() {
  return this.close();
};
`

const HIT_KEYS = ['id', 'kind', 'path', 'startLine', 'endLine', 'symbol', 'language', 'score', 'text']

describe('search', () => {
  story('the first search in a directory indexes it and answers', async scene => {
    smallRepository(scene)
    const { code, stdout, stderr } = await scene.run('search', 'where are failed requests retried')
    expect(code).toBe(0)
    expect(stdout.split('\n')[0]).toMatch(/^src\/http\/retry\.ts:\d+ {2}retryWithBackoff$/)
    expect(stdout).toMatch(/^ +2 {2}export const retryWithBackoff/m)
    expect(stdout).not.toContain('\x1b')
    expect(stderr).toMatch(/^\d+ hits · \d+ chunks · /m)
  })

  story(
    'a hit is called after the lines that are shown of it, not after the first of its chunk',
    async scene => {
      scene.write('cookies.js', COOKIES)
      const ask = (...flags: string[]) => scene.run('search', 'clear a cookie', '-k', '1', ...flags)
      const text = (await ask()).stdout.split('\n')
      expect(text[0]).toMatch(/^cookies\.js:(\d+) {2}res\.clearCookie$/)
      expect(text[1]!.trimStart()).toMatch(new RegExp(`^${/:(\d+)/.exec(text[0]!)![1]} `))
      expect((await ask('--detail', 'compact')).stdout).toMatch(/^cookies\.js:\d+: .*\(res\.clearCookie\)\n$/)
      expect((await ask('--format', 'markdown')).stdout).toMatch(/^### `cookies\.js:\d+` `res\.clearCookie`/)
      // The chunk stays whole for programs.
      const [hit] = JSON.parse((await ask('--json')).stdout).hits
      expect(hit).toMatchObject({ startLine: 1, symbol: 'res.clearCookie' })
      expect(hit.text).toContain('res.get =')
    },
  )

  story('JSON has exactly the documented shape, and nothing is said beside it', async scene => {
    smallRepository(scene)
    const { code, stdout, stderr } = await scene.run(
      'search',
      'pay an invoice',
      '--json',
      '--explain',
      '-k',
      '2',
    )
    expect([code, stderr]).toEqual([0, ''])
    const answer = JSON.parse(stdout)
    expect(Object.keys(answer)).toEqual(['query', 'hits', 'warnings', 'index'])
    expect(Object.keys(answer.index)).toEqual(
      expect.arrayContaining(['documents', 'chunks', 'vectors', 'indexedAt']),
    )
    expect(answer.hits).toHaveLength(2)
    expect(Object.keys(answer.hits[0])).toEqual([...HIT_KEYS, 'explain'])
    expect(answer.hits.map((hit: { path: string }) => hit.path)).toContain('src/billing/invoice.go')
    const { explain, score } = answer.hits[0]
    expect(explain.at(-1).score).toBeCloseTo(score, 5)
  })

  story('a word that stands in one file finds that file, be it a test', async scene => {
    for (const name of ['message', 'control', 'session', 'identity'])
      scene.write(`src/${name}/index.ts`, `export const ${name}Control = () => '${name} of the control'\n`)
    scene.write('src/index.ts', "export * from './message/index.js'\nexport const getControl = 1\n")
    scene.write('test/billing.test.ts', "test('bill', () => expect(getMessageControlId(MACBETH)).toBe(1))\n")
    for (const word of ['getMessageControlId', 'MACBETH']) {
      const { hits } = JSON.parse((await scene.run('search', word, '--json')).stdout)
      expect([word, hits[0].path]).toEqual([word, 'test/billing.test.ts'])
    }
  })

  story('as many hits come as were asked for, where there are so many', async scene => {
    for (let file = 0; file < 90; file++)
      scene.write(
        `src/part${file}.ts`,
        Array.from(
          { length: 6 },
          (_, part) =>
            `/** Routes the request of part ${file}. */\nexport function route${file}x${part}() {\n${`  return ${part}\n`.repeat(40)}}\n`,
        ).join('\n'),
      )
    const ids = async (...flags: string[]): Promise<string[]> =>
      JSON.parse((await scene.run('search', 'route the request', '--json', ...flags)).stdout).hits.map(
        (hit: { id: string }) => hit.id,
      )
    expect(await ids('-k', '80', '--max-per-file', '1')).toHaveLength(80)
    const many = await ids('-k', '150')
    expect([many.length, new Set(many).size]).toEqual([150, 150])
    // The first are the same however many are asked for.
    expect(many.slice(0, 10)).toEqual(await ids('-k', '10'))
  })

  story('JSON Lines, Markdown, compact and full show the same hits', async scene => {
    smallRepository(scene)
    const ask = (...flags: string[]) => scene.run('search', 'load_settings', '-k', '1', ...flags)
    const lines = (await ask('--jsonl')).stdout
    expect(Object.keys(JSON.parse(lines))).toEqual(HIT_KEYS)
    expect((await ask('--format', 'jsonl')).stdout).toBe(lines)
    expect((await ask('--format', 'markdown')).stdout).toMatch(
      /^### `src\/config\/load\.py:1` `load_settings`\n\n```python\n/,
    )
    expect((await ask('--detail', 'compact')).stdout).toBe(
      'src/config/load.py:1: def load_settings(path):  (load_settings)\n',
    )
    expect((await ask('--detail', 'full')).stdout).toContain('     4          return {**DEFAULTS')
    expect((await ask('--explain')).stdout).toMatch(/^ {8}fusion +\d/m)
  })

  story('flags narrow and shape the answer', async scene => {
    smallRepository(scene)
    const paths = async (...flags: string[]) => {
      const { stdout, stderr } = await scene.run('search', 'settings invoice request', '--json', ...flags)
      expect([...flags, stderr]).toEqual([...flags, ''])
      return JSON.parse(stdout).hits.map((hit: { path: string }) => hit.path)
    }
    expect(new Set(await paths('--language', 'python'))).toEqual(new Set(['src/config/load.py']))
    expect(new Set(await paths('--language', 'py, go'))).toEqual(
      new Set(['src/config/load.py', 'src/billing/invoice.go']),
    )
    expect(new Set(await paths('--path', 'src/**', '--path', '!**/*.ts'))).toEqual(
      new Set(['src/config/load.py', 'src/billing/invoice.go']),
    )
    expect(await paths('--kind', 'note')).toEqual([])
    expect(await paths('--until', '2001-01-01')).toEqual([])
    expect((await paths('--since', '1d')).length).toBeGreaterThan(0)
    expect(await paths('-k', '1')).toHaveLength(1)
    for (const flags of [
      ['--profile', 'classic'],
      ['--no-rerank'],
      ['--hops', '0'],
      ['--hops', '2'],
      ['--max-per-file', '1'],
    ]) {
      expect((await paths(...flags)).length).toBeGreaterThan(0)
    }
  })

  story('changes are taken in, or left alone on request', async scene => {
    smallRepository(scene)
    await scene.run('index', '--fast')
    scene.write('src/zebra.ts', 'export const zebraStripes = 7\n')
    const before = await scene.run('search', 'zebraStripes', '--no-refresh', '--json')
    expect(before.stdout).not.toContain('zebra.ts')
    const after = await scene.run('search', 'zebraStripes', '--json')
    expect(JSON.parse(after.stdout).hits[0].path).toBe('src/zebra.ts')
  })

  story('without an index and without leave to make one, it says so', async scene => {
    smallRepository(scene)
    const { code, stderr } = await scene.run('search', 'x', '--no-refresh', '--json')
    expect(code).toBe(2)
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'INDEX_MISSING', hint: expect.stringContaining('quarry') },
    })
  })

  story('similar finds code like the code at a place, or at an id', async scene => {
    smallRepository(scene)
    const { code, stdout } = await scene.run('similar', 'src/http/retry.ts:3', '--json')
    expect(code).toBe(0)
    const { hits } = JSON.parse(stdout)
    expect(hits.every((hit: { path: string }) => hit.path !== 'src/http/retry.ts')).toBe(true)
    expect((await scene.run('similar', '--id', hits[0].id, '--json')).code).toBe(0)
    expect((await scene.run('similar', `${scene.repo}/src/http/retry.ts:3`)).code).toBe(0)
  })

  story('similar refuses what is not a place below the root', async scene => {
    smallRepository(scene)
    const failures = {
      '../x.ts:1': 'BAD_PATH',
      '/etc/passwd:1': 'BAD_PATH',
      'src/http/retry.ts': 'BAD_INPUT',
    }
    for (const [place, code] of Object.entries(failures)) {
      const ran = await scene.run('similar', place, '--json')
      expect([place, ran.code, JSON.parse(ran.stderr).error.code]).toEqual([place, 2, code])
    }
    expect((await scene.run('similar', 'missing.ts:1')).stderr).toMatch(/^error: .*missing\.ts/m)
    expect((await scene.run('similar')).code).toBe(2)
    expect((await scene.run('similar', 'a:1', '--id', 'b')).code).toBe(2)
  })

  story('colour and links only where they can be seen', async scene => {
    smallRepository(scene)
    const terminal = ['--import', 'data:text/javascript,process.stdout.isTTY=true']
    const ask = (node: string[], environment: Record<string, string>, ...flags: string[]) =>
      scene
        .runWith({ node, environment }, 'search', 'retryWithBackoff', ...flags)
        .then(({ stdout }) => stdout)
    expect(await ask([], {})).not.toContain('\x1b')
    const shown = await ask(terminal, {})
    expect(shown).toContain(`\x1b]8;;file://${scene.repo}/src/http/retry.ts\x1b\\`)
    expect(shown).toContain('\x1b[35msrc/http/retry.ts')
    const plain = await ask(terminal, { NO_COLOR: '1' })
    expect(plain).not.toContain('\x1b[')
    expect(plain).toContain('\x1b]8;;file://')
    expect(await ask(terminal, { TERM: 'dumb' })).not.toContain('\x1b')
    expect(await ask([], { NO_COLOR: '1' }, '--color', 'always')).toContain('\x1b[35m')
    expect(await ask(terminal, {}, '--color=never')).not.toContain('\x1b[')
  })

  story('nothing in a repository can drive the terminal', async scene => {
    scene.write(
      'a\x1b]0;title\x07\u202e.ts',
      'export const secretHandshake = "\x1b]52;c;AAAA\x07 \u{e0041}\u200b"\n',
    )
    for (const format of ['text', 'markdown']) {
      const { code, stdout, stderr } = await scene.run('search', 'secretHandshake', '--format', format)
      expect(code).toBe(0)
      expect(stdout + stderr).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202e\u{e0041}]/u)
      expect(stdout).toContain('␛]0;title␇<U+202E>.ts')
    }
    const { stdout } = await scene.run('search', 'secretHandshake', '--json')
    expect(JSON.parse(stdout).hits[0].text).toContain('\x1b]52;c;AAAA\x07')
  })
})
