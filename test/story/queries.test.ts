import { describe, expect } from 'vitest'
import { smallRepository } from './repository.js'
import { story } from './story.js'

const parse = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

describe('search --queries', () => {
  story('answers every line of a text file in order', async scene => {
    smallRepository(scene)
    const file = scene.write('../questions.txt', 'pay an invoice\n\nretryWithBackoff\r\nload_settings')
    const { code, stdout } = await scene.run('search', '--queries', file, '-k', '3')
    const answers = parse(stdout)
    expect(code).toBe(0)
    expect(answers.map(answer => Object.keys(answer))).toEqual(
      Array(3).fill(['query', 'hits', 'warnings', 'index']),
    )
    expect(answers.map(answer => answer.query)).toEqual([
      'pay an invoice',
      'retryWithBackoff',
      'load_settings',
    ])
    expect(answers[1].hits[0].path).toBe('src/http/retry.ts')
    expect(answers[2].hits[0].path).toBe('src/config/load.py')
  })

  story('gives back ids, goes on after bad lines and ends with 2', async scene => {
    smallRepository(scene)
    const long = `retryWithBackoff\n${'the service answers 429 '.repeat(50)}`
    const lines = [
      { id: 'a', query: long },
      { id: 2, query: '' },
    ].map(line => JSON.stringify(line))
    const file = scene.write(
      '../q.jsonl',
      [...lines, '{"id":"bad"}', 'nonsense', '{"id":"z","query":"invoice"}'].join('\n'),
    )
    const { code, stdout } = await scene.run('search', '--queries', file)
    const answers = parse(stdout)
    expect(code).toBe(2)
    expect(answers.map(answer => answer.id)).toEqual(['a', 2, 'bad', undefined, 'z'])
    expect(answers.map(answer => answer.error?.line)).toEqual([undefined, undefined, 3, 4, undefined])
    expect(Object.keys(answers[0])[0]).toBe('id')
    expect(answers[0].hits[0].path).toBe('src/http/retry.ts')
    expect(answers[1]).toMatchObject({ hits: [], warnings: [{ code: 'EMPTY_QUESTION' }] })
    expect(answers[2]).toEqual({
      id: 'bad',
      query: null,
      hits: [],
      warnings: [],
      error: { code: 'BAD_INPUT', message: expect.any(String), hint: expect.any(String), line: 3 },
    })
  })

  story('reads stdin, and whatever anyone may type', async scene => {
    smallRepository(scene)
    const queries = [
      'x'.repeat(1_000_000),
      'invoice '.repeat(120_000),
      '😀🎉',
      'NEAR(a b, 5) AND "unbalanced',
      'body: "a" OR b*) -- \' ;',
      'in\0voice',
      '--repo /etc',
      'C++ a.b.c foo-bar don\'t "1.0.21"',
      '日本語 مرحبا',
      '\ud800 lone',
      '   ',
    ]
    const stdin = queries.map((query, id) => JSON.stringify({ id, query })).join('\n')
    const { code, stdout, stderr } = await scene.runWith({ stdin }, 'search', '--queries', '-', '-k', '2')
    const answers = parse(stdout)
    expect([code, stderr]).toEqual([0, ''])
    expect(answers.map(answer => [answer.id, answer.error])).toEqual(queries.map((_, id) => [id, undefined]))
    expect(answers[1].hits.length).toBeGreaterThan(0)
    expect(answers[10].hits).toEqual([])
  })

  story('looks at the tree before the first question only', async scene => {
    smallRepository(scene)
    await scene.run('index', '--fast')
    scene.write('src/zebra.ts', 'export const zebraStripes = 7\n')
    const { stdout } = await scene.runWith(
      { stdin: 'zebraStripes\nzebraStripes\n' },
      'search',
      '--queries',
      '-',
    )
    expect(parse(stdout).map(answer => answer.hits[0].path)).toEqual(['src/zebra.ts', 'src/zebra.ts'])
    scene.write('src/okapi.ts', 'export const okapiStripes = 7\n')
    const stale = await scene.runWith({ stdin: 'okapiStripes\n' }, 'search', '--queries', '-', '--no-refresh')
    expect(stale.stdout).not.toContain('okapi.ts')
  })

  story('a file that is not there, or a question beside it, is an error', async scene => {
    smallRepository(scene)
    const missing = await scene.run('search', '--queries', 'missing.txt')
    expect([missing.code, missing.stdout]).toEqual([2, ''])
    expect(JSON.parse(missing.stderr).error.message).toContain('missing.txt')
    expect((await scene.run('search', 'x', '--queries', 'missing.txt')).code).toBe(2)
    expect((await scene.runWith({ stdin: '' }, 'search', '--queries', '-')).code).toBe(1)
  })
})
