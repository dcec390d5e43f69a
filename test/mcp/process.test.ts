/** The life of the server: ready at once, many calls at a time, bytes that are none, and its end. */

import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gitRepository } from '../fixtures/git-repository.js'
import { initialize, messagesIn, request, startAgent, startRaw, temporary } from './agent.js'
import { agentRepository } from './repository.js'

const call = (id: number | string, name: string, given: Record<string, unknown>, meta = {}): string =>
  request(id, 'tools/call', { name, arguments: given, ...meta })

describe('the server', () => {
  it('answers before it has loaded anything heavy', async () => {
    const home = temporary()
    const start = performance.now()
    const server = startRaw(agentRepository().work, home)
    server.send(initialize(1))
    const answer = await server.answer(1)
    const taken = performance.now() - start
    expect(answer.result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'quarry' } })
    // 300 ms on a machine that has nothing else to do; this one may be busy.
    expect(taken).toBeLessThan(15_000)
    server.send(request(2, 'tools/list'))
    await server.answer(2)
    expect(readdirSync(home)).toEqual([])
    server.process.stdin.end()
    expect(await server.ended()).toBe(0)
  })

  it('greets as the library would, once, whatever revision is asked for', async () => {
    const hello = (id: number, protocolVersion: string, more = {}) =>
      request(id, 'initialize', {
        protocolVersion,
        capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: { form: {} } },
        clientInfo: { name: 'raw', version: '1', title: 'Raw' },
        ...more,
      })
    const { work } = agentRepository()
    for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '1999-01-01']) {
      const quick = startRaw(work)
      const slow = startRaw(work)
      quick.send(hello(1, revision) + request(2, 'tools/list'))
      // What is not plain is left to the library.
      slow.send(hello(1, revision, { _meta: {} }) + request(2, 'tools/list'))
      expect((await quick.answer(1)).result).toEqual((await slow.answer(1)).result)
      expect((await quick.answer(2)).result).toEqual((await slow.answer(2)).result)
      expect(messagesIn(quick.said.stdout).map(({ id }) => id)).toEqual([1, 2])
    }
  })

  it('leaves to the library what is not a plain greeting', async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    }
    const wrong = [
      { ...params, capabilities: { roots: 5 } },
      { ...params, capabilities: { roots: { listChanged: 'yes' } } },
      { ...params, clientInfo: { name: 'a' } },
      { ...params, clientInfo: { name: 'a', version: 1 } },
      { capabilities: {}, clientInfo: params.clientInfo },
    ]
    await Promise.all(
      wrong.map(async given => {
        const server = startRaw(agentRepository().work)
        server.send(request(1, 'initialize', given))
        expect((await server.answer(1)).error).toMatchObject({ code: expect.any(Number) })
      }),
    )
  })

  it('indexes on the first call and says how far it is, in numbers that only grow', async () => {
    const repository = gitRepository()
    for (let part = 0; part < 3; part++)
      repository.commit(
        `Part ${part}`,
        Object.fromEntries(
          Array.from({ length: 60 }, (_, i) => [
            `src/p${part}/f${i}.ts`,
            Array.from(
              { length: 20 },
              (_, j) =>
                `export function compute${part}_${i}_${j}(value: number) {\n  return value * ${j}\n}\n`,
            ).join('\n'),
          ]),
        ),
      )
    const { call } = await startAgent(repository.work)
    const seen: number[] = []
    const { data } = await call('semantic_search', { query: 'compute 1 7 3' }, ({ progress, message }) => {
      seen.push(progress!)
      expect(message).toMatch(/^[a-z ]+: \d+ of \d+$/)
    })
    expect(data.hits.length).toBeGreaterThan(0)
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    const again: number[] = []
    await call('semantic_search', { query: 'compute 1 7 3' }, ({ progress }) => again.push(progress!))
    expect(again).toEqual([])
  })

  it('answers calls that come at once, the very first too, each with its own', async () => {
    const repository = gitRepository()
    const nonce = (i: number) => `zq${(i * 7_919 + 104_729).toString(36)}x`
    for (let i = 0; i < 12; i++)
      repository.commit(`Make ${nonce(i)}`, { [`src/n${i}.py`]: `def ${nonce(i)}():\n    return ${i}\n` })
    const { call } = await startAgent(repository.work)
    const round = () =>
      Promise.all(
        Array.from({ length: 36 }, async (_, position) => {
          const i = position % 12
          const inCode = position % 2 === 0
          const { data, isError, text } = await (inCode
            ? call('semantic_search', { query: nonce(i), limit: 1 })
            : call('find_pattern', { query: nonce(i), k: 1 }))
          expect(isError, text).toBe(false)
          expect(data.hits[0].path).toBe(`src/n${i}.py`)
          const others = Array.from({ length: 12 }, (_, j) => j).filter(j => j !== i)
          for (const j of others) expect(JSON.stringify(data)).not.toContain(nonce(j))
        }),
      )
    await round()
    await round()
  })

  it('serves several agents in one repository at once, while it was never indexed', async () => {
    const repository = agentRepository()
    const home = temporary()
    const agents = await Promise.all([1, 2, 3].map(() => startAgent(repository.work, { home })))
    const answers = await Promise.all(
      agents.map(agent => agent.call('semantic_search', { query: 'where are requests retried' })),
    )
    for (const { isError, text, data } of answers) {
      expect(isError, text).toBe(false)
      expect(data.hits[0]?.path, text).toBe('src/http/retry.ts')
    }
  })

  it('takes in what changed since the last call', async () => {
    const repository = agentRepository()
    const { call } = await startAgent(repository.work)
    await call('semantic_search', { query: 'anything' })
    await pause(1_100)
    repository.commit('Ferry', { 'src/ferry.py': 'def cross_the_strait():\n    return "ferry"\n' })
    const code = await call('semantic_search', { query: 'cross the strait', limit: 1 })
    expect(code.data.hits[0].path).toBe('src/ferry.py')
    const past = await call('find_pattern', { query: 'ferry across the strait', k: 1 })
    expect(past.data.hits[0].message).toBe('Ferry')
  })

  it('stops working for a call that was cancelled, and for no other', async () => {
    const repository = agentRepository()
    const server = startRaw(repository.work)
    server.send(initialize(0))
    await server.answer(0)
    server.send(call(1, 'semantic_search', { query: 'retry' }))
    server.send(call(2, 'semantic_search', { query: 'retry' }))
    server.send(
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })}\n`,
    )
    const answer = await server.answer(2)
    expect(answer, JSON.stringify(answer)).toHaveProperty('result')
    expect(messagesIn(server.said.stdout).some(({ id }) => id === 1)).toBe(false)
  })

  it('refuses to read a whole home or disk because it was started there', async () => {
    const server = startRaw('/')
    server.send(initialize(0))
    server.send(call(1, 'semantic_search', { query: 'x' }))
    const { result } = (await server.answer(1)) as {
      result: { isError: boolean; content: { text: string }[] }
    }
    expect(result.isError).toBe(true)
    expect(result.content[0]!.text).toMatch(/^BAD_PATH: .*\nnext: .*--repo DIR/)
  })
})

describe('the end of the input', () => {
  // How long that takes is measured by `npm run bench -- load`: a test on a busy machine can only tell that it happens.
  it('ends the server, idle or in the middle of a call', async () => {
    for (const work of [false, true]) {
      const repository = agentRepository()
      const server = startRaw(repository.work)
      server.send(initialize(1))
      await server.answer(1)
      if (work) {
        for (let id = 2; id < 20; id++) server.send(call(id, 'find_pattern', { query: `retry ${id}` }))
        await pause(100)
      }
      server.process.stdin.end()
      expect(await server.ended()).toBe(0)
    }
  })

  it('leaves time to answer what came before it', async () => {
    const repository = agentRepository()
    const home = temporary()
    const { call: ask } = await startAgent(repository.work, { home })
    await ask('semantic_search', { query: 'retry' })
    const server = startRaw(repository.work, home)
    server.process.stdin.end(initialize(1) + request(2, 'tools/list'))
    expect(await server.ended()).toBe(0)
    expect(messagesIn(server.said.stdout).map(({ id }) => id)).toEqual([1, 2])
  })

  it('is the same when a signal comes', async () => {
    const server = startRaw(agentRepository().work)
    server.send(initialize(1))
    await server.answer(1)
    server.process.kill('SIGTERM')
    expect(await server.ended()).toBe(143)
  })
})

describe('stdout', () => {
  it('holds messages of the protocol and nothing else, even when code prints', async () => {
    const loud = `setInterval(() => { console.log('loud', 1); process.stdout.write('raw\\n'); console.info('x') }, 5).unref()
      process.emitWarning('a warning')`
    const url = `data:text/javascript,${encodeURIComponent(loud)}`
    const server = startRaw(agentRepository().work, temporary(), ['--import', url])
    // What is printed before the server has claimed stdout is Node's own affair: ask when it is there.
    server.send(initialize(1))
    while (!server.said.stdout.includes('"id":1')) await pause(10)
    const from = server.said.stdout.indexOf('{"')
    server.send(call(2, 'semantic_search', { query: 'retry' }, { _meta: { progressToken: 'p' } }))
    server.send(call(3, 'find_pattern', { query: 'retry' }, { _meta: { progressToken: 7 } }))
    server.send(call(4, 'explain_change', { file: 'README.md' }))
    while (![2, 3, 4].every(id => server.said.stdout.includes(`"id":${id}`))) await pause(10)
    server.process.stdin.end()
    await server.ended()
    expect(messagesIn(server.said.stdout.slice(from)).length).toBeGreaterThanOrEqual(4)
    expect(server.said.stderr).toContain('loud 1')
  })
})

describe('frames that are none', () => {
  it('6,000 of them leave the server alive, answering, and speaking the protocol', async () => {
    const server = startRaw(agentRepository().work)
    server.send(initialize('first'))
    await server.answer('first')
    const seed = Number(process.env.FUZZ_SEED ?? 20261116)
    console.log(`fuzz seed ${seed}`)
    const name = fc.oneof(
      fc.constantFrom('semantic_search', 'find_pattern', 'find_similar', 'explain_change', 'index_status'),
      fc.string(),
    )
    const key = fc.constantFrom(
      'query',
      'queries',
      'k',
      'limit',
      'path',
      'line',
      'file',
      'detail',
      'since',
      'chunk',
      '__proto__',
      'repo',
    )
    const given = fc.oneof(fc.dictionary(key, fc.jsonValue({ maxDepth: 3 })), fc.jsonValue())
    const id = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.double())
    const method = fc.oneof(
      { weight: 6, arbitrary: fc.constant('tools/call') },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          'tools/list',
          'ping',
          'initialize',
          'server/discover',
          'resources/list',
          'notifications/cancelled',
        ),
      },
      { weight: 1, arbitrary: fc.string() },
    )
    const message = fc.record(
      { jsonrpc: fc.constant('2.0'), id, method, params: fc.record({ name, arguments: given }) },
      { requiredKeys: [] },
    )
    const frame = fc.oneof(
      { weight: 5, arbitrary: message.map(value => JSON.stringify(value)) },
      { weight: 2, arbitrary: fc.jsonValue().map(value => JSON.stringify(value)) },
      { weight: 2, arbitrary: message.map(value => JSON.stringify(value).slice(0, -3)) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
      {
        weight: 1,
        arbitrary: fc.uint8Array({ maxLength: 64 }).map(bytes => Buffer.from(bytes).toString('latin1')),
      },
    )
    const frames = fc.sample(frame, { numRuns: 6_000, seed })
    for (const [position, text] of frames.entries()) {
      server.send(`${text.replaceAll('\n', ' ')}\n`)
      if (position % 1_000 === 999) {
        server.send(request(`alive ${position}`, 'tools/list'))
        expect(await server.answer(`alive ${position}`)).toHaveProperty('result')
      }
    }
    server.send(`${'['.repeat(100_000)}\n`)
    server.send(`{"jsonrpc":"2.0","id":9,"method":"${'x'.repeat(1_500_000)}"}\n`)
    server.send(Buffer.from([0xff, 0xfe, 0x00, 0x0a]))
    server.send(call('last', 'semantic_search', { query: 'where are requests retried' }))
    expect(JSON.stringify(await server.answer('last'))).toContain('src/http/retry.ts')
    expect(server.said.stderr).toContain('passed over a message of more than 64 levels')
    expect(server.said.stderr).toContain('passed over a message of more than 1048576 bytes')
    expect(messagesIn(server.said.stdout).length).toBeGreaterThan(10)
    expect(server.said.stdout).not.toMatch(/\.js:\d+:\d+|node_modules/)
    server.process.stdin.end()
    expect(await server.ended()).toBe(0)
  })
})
