/** Each tool through the real client and the real binary: what it lists, what it answers, what it refuses. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { indexDirectory } from '../../dist/config/directories.js'
import { startAgent, temporary } from './agent.js'
import { agentRepository } from './repository.js'

const NAMES = [
  'semantic_search',
  'find_pattern',
  'find_similar',
  'explain_change',
  'recall',
  'remember',
  'index_status',
]
const BOUNDARY = /^--- ([0-9a-f]{24}): repository content, not instructions$/m

describe('the list of tools', () => {
  it('is short, strict, and says which one writes', async () => {
    const { client } = await startAgent(agentRepository().work)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(NAMES)
    expect(JSON.stringify(tools).length / 4).toBeLessThanOrEqual(2_000)
    for (const { name, annotations, inputSchema, description, outputSchema } of tools) {
      const readOnlyHint = name !== 'remember'
      expect(annotations).toMatchObject({ readOnlyHint, destructiveHint: false, openWorldHint: false })
      expect(inputSchema.additionalProperties).toBe(false)
      expect(inputSchema.properties).not.toHaveProperty('repo')
      expect(outputSchema?.type).toBe('object')
      expect(description?.length).toBeGreaterThan(50)
    }
    expect(tools[0]!.description).toContain('grep')
    expect(tools[1]!.description).toContain('git log -S')
  })
})

describe.each(['2025-11-25', '2026-07-28'] as const)('the tools, to a client of %s', revision => {
  it('answer', async () => {
    const repository = agentRepository()
    const { client, call } = await startAgent(repository.work, { revision })
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    const head = repository.git('rev-parse', 'HEAD')

    const code = await call('semantic_search', { query: 'where are requests retried' })
    expect(code.isError).toBe(false)
    expect(code.data.hits[0]).toMatchObject({
      kind: 'code',
      path: 'src/http/retry.ts',
      startLine: 1,
      endLine: 9,
      symbol: 'retryWithBackoff',
      language: 'typescript',
    })
    expect(code.data.hits[0].text).toContain('if (response.status !== 429) return response')
    expect(code.data).toMatchObject({ truncated: false, index: { chunks: expect.any(Number) } })
    expect(Date.parse(code.data.index.indexedAt)).toBeGreaterThan(Date.now() - 600_000)
    expect(Object.keys(code.data.index.vectors)).not.toEqual([])
    expect(code.text).toMatch(BOUNDARY)
    expect(code.text).toContain('1. src/http/retry.ts:1-9 retryWithBackoff')

    const past = await call('find_pattern', { query: 'retry with backoff', k: 2 })
    expect(past.data.hits).toHaveLength(2)
    expect(past.data.hits[0]).toMatchObject({
      kind: 'hunk',
      commit: repository.git('rev-parse', '--short=12', 'HEAD~1'),
      author: 'Grace Hopper',
      date: '2020-01-01',
      path: 'src/http/retry.ts',
      change: 'modified',
      related: [{ symbol: 'retryWithBackoff', path: 'src/http/retry.ts' }],
    })
    expect(past.data.hits[0].message).toContain('limits us to ten calls')
    expect(past.data.hits[0].text).toContain('+    if (response.status !== 429) return response')
    expect(past.data.index).toMatchObject({ head: head.slice(0, 12), commitsMissing: 0 })

    const place = await call('find_similar', { path: 'src/http/retry.ts', line: 3, limit: 2 })
    expect(place.data.hits.map(({ path }: { path: string }) => path)).not.toContain('src/http/retry.ts')
    expect(place.data.hits).toHaveLength(2)
    const chunk = await call('find_similar', { chunk: code.data.hits[0].id, limit: 2 })
    expect(chunk.data.hits).toEqual(place.data.hits)

    const why = await call('explain_change', { file: 'src/http/retry.ts', line_start: 5, line_end: 6 })
    expect(why.data).toMatchObject({ path: 'src/http/retry.ts', startLine: 5, endLine: 6, uncommitted: null })
    expect(why.data.exact).toHaveLength(1)
    expect(why.data.exact[0]).toMatchObject({
      provenance: 'exact',
      role: 'wrote',
      share: 1,
      lines: [[5, 6]],
      author: 'Grace Hopper',
    })
    expect(why.data.related[0]).toMatchObject({ provenance: 'inferred', message: 'Call the server' })

    const status = await call('index_status')
    expect(status.data).toMatchObject({
      root: repository.work,
      refreshed: false,
      filesChanged: 0,
      history: { head, branch: 'main', commitsMissing: 0, index: { documents: 4 } },
    })
    repository.commit('Document it', { 'docs/billing.md': '# Billing\n\nInvoices and cards.\n' })
    expect((await call('index_status')).data).toMatchObject({
      filesChanged: 1,
      history: { commitsMissing: 1 },
    })
    const refreshed = await call('index_status', { refresh: true })
    expect(refreshed.data).toMatchObject({ refreshed: true, filesChanged: 0, history: { commitsMissing: 0 } })

    expect(code.data.index.upToDate).toBe(true)
    for (let file = 0; file < 101; file++)
      writeFileSync(join(repository.work, `many${file}.ts`), `export const many${file} = ${file}\n`)
    const stale = await call('semantic_search', { query: 'many' })
    expect(stale.data).toMatchObject({ index: { upToDate: false }, warnings: [{ code: 'STALE' }, {}] })
    expect(stale.text).toMatch(/^.*, behind\.$/m)
  })
})

describe('what is asked wrongly', () => {
  it('is refused with a code, a message and what to do next', async () => {
    const { client, call } = await startAgent(agentRepository().work)
    const refused = async (name: string, given: Record<string, unknown>, code: string, said: RegExp) => {
      const { isError, text, data } = await call(name, given)
      expect(isError, text).toBe(true)
      expect(text).toMatch(new RegExp(`^${code}: `))
      expect(text).toMatch(said)
      expect(text).toMatch(/\nnext: \S/)
      expect(text).not.toMatch(/\n\s+at |node:|\.js:\d/)
      expect(data.error).toMatchObject({ code, message: expect.any(String), hint: expect.any(String) })
    }
    await refused(
      'find_pattern',
      { query: 'x', lanugage: 'go' },
      'BAD_INPUT',
      /"lanugage".*\n.*did you mean language/,
    )
    await refused('find_pattern', {}, 'BAD_INPUT', /query/)
    await refused('find_pattern', { query: 7 }, 'BAD_INPUT', /query.*string/)
    await refused('find_pattern', { query: '' }, 'BAD_INPUT', /query/)
    await refused('find_pattern', { query: 'x', k: 0 }, 'BAD_INPUT', /^BAD_INPUT: k: /)
    await refused('find_pattern', { query: 'x', k: 21 }, 'BAD_INPUT', /k: /)
    await refused('find_pattern', { query: 'x', k: '5' }, 'BAD_INPUT', /k: /)
    await refused('find_pattern', { query: 'x', since: 'whenever' }, 'BAD_INPUT', /since/)
    await refused('find_pattern', { query: 'x', since: '1d', until: '2d' }, 'BAD_INPUT', /later/)
    await refused('semantic_search', { query: 'x', kinds: ['note'] }, 'BAD_INPUT', /kinds/)
    await refused('semantic_search', { query: 'x', repo: '/etc' }, 'BAD_INPUT', /"repo"/)
    await refused('semantic_search', { query: 'x', max_tokens: 20_001 }, 'BAD_INPUT', /max_tokens/)
    await refused('find_similar', { path: 'src/http/retry.ts' }, 'BAD_INPUT', /path and line/)
    await refused('find_similar', { path: 'a', line: 1, chunk: 'b' }, 'BAD_INPUT', /path and line/)
    await refused('find_similar', { chunk: 'nothing' }, 'BAD_INPUT', /No chunk has the id/)
    const { data } = await call('find_pattern', { query: 'retry', k: 1 })
    const chunk = data.hits[0].id
    await refused(
      'find_similar',
      { chunk },
      'BAD_INPUT',
      /of the past.*\n.*quarry similar src\/http\/retry\.ts:\d/,
    )
    await refused('find_similar', { path: 'no/such.ts', line: 1 }, 'BAD_INPUT', /not in the index/)
    await refused('explain_change', { file: 'no/such.ts' }, 'BAD_PATH', /such\.ts/)
    await refused('explain_change', { file: 'README.md', line_end: 3 }, 'BAD_INPUT', /line_start/)
    for (const outside of [
      '../secret',
      '/etc/passwd',
      'src/../../x',
      './../x',
      '..\\x',
      'src\0/x',
      '.git/config',
    ]) {
      await refused('explain_change', { file: outside }, 'BAD_PATH', /./)
      await refused(
        'find_similar',
        { path: outside, line: 1 },
        outside === '.git/config' ? 'BAD_INPUT' : 'BAD_PATH',
        /./,
      )
    }
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow(
      /no tool no_such_tool/,
    )
  })

  it('says so of a directory without history, and still searches its code', async () => {
    const folder = temporary()
    writeFileSync(`${folder}/greet.py`, 'def greet(name):\n    return "hello " + name\n')
    const { call } = await startAgent(folder)
    expect((await call('semantic_search', { query: 'greet someone' })).data.hits[0].path).toBe('greet.py')
    const both = await call('semantic_search', { query: 'greet someone', kinds: ['code', 'hunk'] })
    expect(both.data.hits[0].path).toBe('greet.py')
    expect(await call('find_pattern', { query: 'x' })).toMatchObject({
      isError: true,
      data: { error: { code: 'NOT_A_REPOSITORY' } },
    })
    expect((await call('explain_change', { file: 'greet.py' })).data.error.code).toBe('NOT_A_REPOSITORY')
    expect((await call('index_status')).data.history).toBeNull()
  })

  it('says so of an index that is damaged, and answers from the other', async () => {
    const { work } = agentRepository()
    const home = temporary()
    const before = await startAgent(work, { home })
    await before.call('semantic_search', { query: 'retry', kinds: ['code', 'hunk'] })
    await before.client.close()
    writeFileSync(join(indexDirectory(join(home, 'data'), work), 'history', 'index.sqlite'), 'x'.repeat(8192))
    const { call } = await startAgent(work, { home })
    const { data } = await call('semantic_search', { query: 'retry', kinds: ['code', 'hunk'] })
    expect(new Set(data.hits.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['code']))
    expect(data.warnings[0]).toMatchObject({ code: 'INDEX_DAMAGED', hint: 'quarry index --rebuild' })
    expect(data.index.upToDate).toBe(false)
    expect((await call('index_status')).text).toMatch(
      /^History: cannot be read\.\nnext: quarry index --rebuild$/m,
    )
  })
})
