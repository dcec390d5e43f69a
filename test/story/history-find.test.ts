import { describe, expect } from 'vitest'
import type { Hit } from '../../dist/core/answers.js'
import { find, indexHistory, repositoryIn } from './history-scene.js'
import { type Scene, story } from './story.js'

const HIT_KEYS = [
  ...['id', 'kind', 'path', 'startLine', 'endLine', 'symbol', 'language', 'score', 'commit', 'author'],
  ...[
    'email',
    'date',
    'committed',
    'message',
    'change',
    'hunks',
    'symbols',
    'symbolProvenance',
    'related',
    'text',
  ],
]

const RETRY = `export const retryWithBackoff = async (request, attempts) => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const response = await request()
    if (response.status !== 429) return response
  }
}
`

/** Three commits: a function, a long table, and a mend of the function. */
const smallHistory = (scene: Scene) => {
  const repository = repositoryIn(scene)
  const made = repository.commit('Retry requests that fail\n\nThe server answers 429 when it is busy.', {
    'src/http/retry.ts': RETRY,
    'README.md': '# Sample\n',
  })
  const table = Array.from({ length: 120 }, (_, row) => `  ['word${row}', ${row}],`)
  const long = repository.commit(
    'Add the table of stop words',
    { 'src/words.ts': `export const stopWords = [\n${table.join('\n')}\n]\n` },
    { author: 'Grace Hopper', email: 'grace@example.org' },
  )
  const mended = repository.commit('Wait longer before each retry', {
    'src/http/retry.ts': RETRY.replace('    if', '    await sleep(100 * 2 ** attempt)\n    if'),
  })
  return { ...repository, made, long, mended }
}

describe('find', () => {
  story('index takes in code and history, and find answers with whole stories', async scene => {
    const { mended } = smallHistory(scene)
    const report = await indexHistory(scene)
    expect(report).toMatchObject({ added: 3, history: { added: 3, chunks: 7, skipped: {} } })
    const { code, hits, ...answer } = await find(scene, 'wait longer before a retry', '-k', '2')
    expect([code, answer.query, answer.index.documents]).toEqual([0, 'wait longer before a retry', 3])
    expect(hits).toHaveLength(2)
    expect(hits.map(hit => Object.keys(hit))).toEqual([HIT_KEYS, HIT_KEYS])
    expect(hits[0]).toMatchObject({
      ...{ kind: 'hunk', commit: mended, author: 'Ada Lovelace', email: 'ada@example.org' },
      ...{ date: '2020-01-01T03:00:00.000Z', committed: '2020-01-01T03:00:00.000Z', change: 'modified' },
      ...{ message: 'Wait longer before each retry', path: 'src/http/retry.ts', startLine: 1, endLine: 7 },
      ...{ symbol: 'retryWithBackoff', language: 'typescript', hunks: 1 },
      related: [{ symbol: 'retryWithBackoff', path: 'src/http/retry.ts', line: 1 }],
    })
    expect(hits[0]!.text).toContain('\n+    await sleep(100 * 2 ** attempt)\n')
  })

  story(
    'text says id, date, author, subject, place and diff; the first find takes the history in',
    async scene => {
      const { made, mended } = smallHistory(scene)
      const { code, stdout, stderr } = await scene.run('find', 'requests that fail with 429', '-k', '1')
      expect(code).toBe(0)
      expect(stdout.split('\n').slice(0, 5)).toEqual([
        `${made.slice(0, 12)}  2020-01-01  Ada Lovelace  Retry requests that fail`,
        '  The server answers 429 when it is busy.',
        'src/http/retry.ts:1  retryWithBackoff  added, 1 of 2 hunks',
        '  @@ -0,0 +1,6 @@',
        '  +export const retryWithBackoff = async (request, attempts) => {',
      ])
      expect(stderr).toMatch(/^1 hit · 3 commits · /m)
      const compact = await scene.run('find', 'sleep', '-k', '1', '--detail', 'compact')
      expect(compact.stdout).toBe(
        `${mended.slice(0, 12)}  2020-01-01  Ada Lovelace  Wait longer before each retry  src/http/retry.ts:1\n`,
      )
      const painted = await scene.run('find', 'sleep attempt', '-k', '1', '--color', 'always')
      expect(painted.stdout).toMatch(/\x1b\[32m\+/)
    },
  )

  story('an excerpt has 80 lines and says how many more there are', async scene => {
    const { long } = smallHistory(scene)
    const ask = async (...flags: string[]) =>
      (await scene.run('find', 'table of stop words', '-k', '1', ...flags)).stdout
    const text = await ask()
    expect(text.split('\n').filter(line => line.startsWith('  +'))).toHaveLength(79)
    expect(text).toContain(`\n  … 43 more lines: git show ${long.slice(0, 12)} -- src/words.ts\n`)
    const full = await ask('--detail', 'full')
    expect(full.split('\n').filter(line => line.startsWith('  +'))).toHaveLength(122)
    expect(full).not.toContain('more line')
    const markdown = await ask('--format', 'markdown')
    expect(markdown).toMatch(
      new RegExp(
        `^### \`${long.slice(0, 12)}\` 2020-01-01 \`Grace Hopper\` \`Add the table of stop words\`\n`,
      ),
    )
    expect(markdown).toMatch(/\n`src\/words\.ts:1`.*\n\n```diff\n@@ -0,0 \+1,122 @@\n\+export/)
    expect(markdown).toContain('\n43 more lines\n')
  })

  story('JSON Lines hold one hit each, and the ledger ends with the score', async scene => {
    smallHistory(scene)
    const { stdout } = await scene.run('find', 'retry', '--jsonl', '--explain')
    const hits: Hit[] = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(hits.length).toBeGreaterThan(1)
    for (const hit of hits) {
      expect(Object.keys(hit)).toEqual([...HIT_KEYS, 'explain'])
      expect(hit.explain!.at(-1)!.score).toBeCloseTo(hit.score, 5)
      expect(hit.explain!.map(({ stage }) => stage)).toEqual(
        expect.arrayContaining(['fusion', 'hunk', 'recency']),
      )
    }
    expect((await scene.run('find', 'retry', '--explain')).stdout).toMatch(/^ {8}recency +\d/m)
  })

  story('questions from a file are answered in order, one a line', async scene => {
    const { long, mended } = smallHistory(scene)
    const parse = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line))
    const plain = scene.write('../q.txt', 'table of stop words\nsleep between attempts\n')
    const answers = parse((await scene.run('find', '--queries', plain, '-k', '1')).stdout)
    expect(answers.map(({ query, hits }) => [query, hits[0].commit])).toEqual([
      ['table of stop words', long],
      ['sleep between attempts', mended],
    ])
    const lines = [
      { id: 7, query: 'It does not wait.\n\nsleep is missing\nbetween attempts' },
      { id: 'empty', query: '' },
      { id: 'last', query: 'stop words' },
    ]
    const file = scene.write(
      '../q.jsonl',
      `${lines.map(line => JSON.stringify(line)).join('\n')}\nnonsense\n`,
    )
    const { code, stdout } = await scene.run('find', '--queries', file, '-k', '1')
    const more = parse(stdout)
    expect(code).toBe(2)
    expect(more.map(({ id, hits, error }) => [id, hits[0]?.commit, error?.code])).toEqual([
      [7, mended, undefined],
      ['empty', undefined, undefined],
      ['last', long, undefined],
      [undefined, undefined, 'BAD_INPUT'],
    ])
    expect(more[1].warnings).toMatchObject([{ code: 'EMPTY_QUESTION', hint: 'quarry find "…"' }])
  })
})

describe('find with bad input', () => {
  story('limits and flags are refused by name, a missing question too', async scene => {
    smallHistory(scene)
    for (const limit of ['0', 'x', '-1', '1001']) {
      const { code, stdout, stderr } = await scene.run('find', 'retry', '-k', limit)
      expect([limit, code, stdout]).toEqual([limit, 2, ''])
      expect(stderr).toMatch(/^error: .*--limit.* from 1 to 1000/m)
    }
    expect((await scene.run('find')).stderr).toMatch(/^error: The question is missing\n hint: quarry find /)
    expect((await scene.run('find', '--output=x')).code).toBe(2)
    expect((await scene.run('find', 'two', 'words')).code).toBe(2)
  })

  story('whatever anyone may ask is answered, with 0 or 1', async scene => {
    smallHistory(scene)
    const questions = [
      ...['', '   ', '😀🎉', 're\0try', 'x'.repeat(1_000_000), 'retry '.repeat(170_000)],
      ...['"unbalanced', 'a AND (b', 'body:x*', 'NEAR(a b, 5)', "'; DROP TABLE chunks --", '%_', '*'],
      ...[
        '--output=x',
        '-rf',
        '$(touch x)',
        '../../etc/passwd',
        'HEAD~1',
        '日本語 مرحبا',
        '\ud800 lone',
        'last month',
      ],
    ]
    const stdin = questions.map((query, id) => JSON.stringify({ id, query })).join('\n')
    const { code, stdout, stderr } = await scene.runWith({ stdin }, 'find', '--queries', '-', '-k', '2')
    expect([code, stderr]).toEqual([0, ''])
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(answers.map(({ id, error }) => [id, error])).toEqual(questions.map((_, id) => [id, undefined]))
    expect(answers[5].hits.length).toBeGreaterThan(0)
    expect((await find(scene, '--', '--no-verify')).query).toBe('--no-verify')
    const none = await scene.run('find', 'retry', '--author', 'nobody')
    expect([none.code, none.stdout]).toEqual([1, ''])
    expect((await find(scene, '   ')).code).toBe(1)
  })

  story('nothing in a commit can drive the terminal', async scene => {
    const { commit } = repositoryIn(scene)
    commit(
      'Subject \x1b]0;title\x07 zebra\u202e\n\nbody \x1b[2J',
      { 'a\x1b[31m.ts': 'export const zebra = "\x1b]52;c;AAAA\x07\u{e0041}"\n' },
      { author: 'Eve \x1b[5m', email: 'eve@example.org' },
    )
    for (const format of ['text', 'markdown']) {
      const { code, stdout, stderr } = await scene.run('find', 'zebra', '--format', format)
      expect(code).toBe(0)
      expect(stdout + stderr).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u{e0041}]/u)
      expect(stdout).toContain('␛]0;title␇')
    }
  })
})
