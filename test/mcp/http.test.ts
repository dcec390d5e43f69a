/** The server over HTTP: who is let in, what is too much, many clients at once, and its end. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, METHODS, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ROUTES } from '../../dist/mcp/http/guard.js'
import { gitRepository } from '../fixtures/git-repository.js'
import { type Revision, temporary } from './agent.js'
import { agentRepository } from './repository.js'

const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.js')

const start = (directory: string, ...args: string[]) => {
  const child = spawn(process.execPath, [MAIN, 'serve', ...args], {
    cwd: directory,
    env: {
      ...{ PATH: process.env.PATH ?? '', HOME: '/nonexistent', TMPDIR: tmpdir(), LANG: 'C.UTF-8' },
      ...{ QUARRY_HOME: temporary(), QUARRY_BACKGROUND: '0', QUARRY_OFFLINE: '1' },
    },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', text => {
    said.stdout += text
  })
  child.stderr.on('data', text => {
    said.stderr += text
  })
  return { child, said, ended: once(child, 'close').then(([code]) => code as number | null) }
}

const serve = async (directory: string, ...args: string[]) => {
  const { child, said, ended } = start(directory, '--port', '0', ...args)
  while (!said.stdout.includes('\n')) {
    if (child.exitCode !== null) throw new Error(said.stderr)
    await new Promise(resume => setTimeout(resume, 10))
  }
  return { child, said, ended, url: new URL(said.stdout.trim()) }
}

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const ask = (
  url: URL,
  options: { method?: string; path?: string; headers?: Record<string, string>; body?: string | Buffer },
): Promise<Reply> =>
  new Promise((answer, reject) => {
    const { method = 'POST', path = '/mcp', headers = {}, body } = options
    const sent = request(
      {
        host: url.hostname,
        port: url.port,
        method,
        path,
        headers: { ...JSON_TYPES, ...headers },
        agent: false,
      },
      response => {
        let text = ''
        response.setEncoding('utf8').on('data', part => {
          text += part
        })
        response.on('end', () => answer({ status: response.statusCode!, headers: response.headers, text }))
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })

const JSON_TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const HELLO = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
})

const clientOf = async (url: URL, revision: Revision, token?: string): Promise<Client> => {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  )
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return client
}

describe('who is let in', () => {
  it('is nobody under a foreign name or from a foreign page, on any route', async () => {
    const { url } = await serve(agentRepository().work)
    for (const path of ['/mcp', '/', '/other', '/mcp/', '/.well-known/oauth-protected-resource']) {
      for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS', 'PUT', 'HEAD']) {
        const tell = (headers: Record<string, string>) => ask(url, { method, path, headers, body: HELLO })
        for (const host of [
          'evil.example',
          `evil.example:${url.port}`,
          '127.0.0.1.evil.example',
          '0.0.0.0',
          '[::ffff:7f00:1]',
        ])
          expect((await tell({ host })).status, `${method} ${path} ${host}`).toBe(403)
        for (const origin of [
          'https://evil.example',
          'null',
          'http://localhost.evil.example',
          'file://',
          'x',
        ])
          expect((await tell({ origin })).status, `${method} ${path} ${origin}`).toBe(403)
        const allowed = await tell({ origin: `http://localhost:${url.port}` })
        expect(allowed.status, `${method} ${path}`).toBe(
          path !== '/mcp' ? 404 : method === 'POST' ? 200 : 405,
        )
        expect(Object.keys(allowed.headers).filter(name => name.startsWith('access-control'))).toEqual([])
        expect(allowed.headers['x-content-type-options']).toBe('nosniff')
      }
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await ask(url, { headers: form, body: HELLO })).status).toBe(415)
    expect((await ask(url, { headers: { 'content-type': 'text/plain' }, body: HELLO })).status).toBe(415)
  })

  it('is who knows the token, where there is one', async () => {
    const token = `${'k'.repeat(16)}0123456789abcdef`
    const file = join(temporary(), 'token')
    writeFileSync(file, `${token}\n`, { mode: 0o600 })
    const repository = agentRepository()
    const { url, said } = await serve(repository.work, '--token-file', file)
    // Every route that there is, by every method, and some that are none.
    for (const path of [...Object.keys(ROUTES), '/', '/other', '/mcp/', '//mcp', '/%6dcp', '/mcp?x=1'])
      for (const method of METHODS.filter(name => name !== 'CONNECT'))
        for (const authorization of [
          undefined,
          'Bearer ',
          `Bearer ${token}x`,
          `Bearer ${token.slice(1)}`,
          `Basic ${token}`,
          token,
        ]) {
          const { status, headers } = await ask(url, {
            ...{ method, path, body: HELLO },
            headers: authorization === undefined ? {} : { authorization },
          })
          expect(status, `${method} ${path} ${authorization}`).toBe(401)
          expect(headers['www-authenticate']).toBe('Bearer')
        }
    expect(Object.keys(ROUTES)).toContain('/mcp')
    expect((await ask(url, { path: `/mcp?token=${token}`, body: HELLO })).status).toBe(401)
    const client = await clientOf(url, '2026-07-28', token)
    expect((await client.listTools()).tools.length).toBeGreaterThan(4)
    expect(said.stdout + said.stderr).not.toContain(token)
  })

  it('is nobody from elsewhere without a token, nor with one that others can read', async () => {
    const { work } = agentRepository()
    const refused = async (said: RegExp, ...args: string[]) => {
      const { ended, said: output } = start(work, '--port', '0', ...args)
      expect(await ended).toBe(2)
      expect(output.stderr).toMatch(said)
      expect(output.stdout).toBe('')
    }
    await refused(/token is needed[\s\S]*--token-file/, '--host', '0.0.0.0')
    await refused(/token is needed/, '--host', '::')
    const file = join(temporary(), 'token')
    await refused(/cannot be read[\s\S]*umask 077/, '--host', '0.0.0.0', '--token-file', file)
    writeFileSync(file, 'short', { mode: 0o600 })
    await refused(/32 or more/, '--host', '0.0.0.0', '--token-file', file)
    writeFileSync(file, 'x'.repeat(40))
    chmodSync(file, 0o644)
    await refused(/read by others/, '--token-file', file)
    chmodSync(file, 0o600)
    const { url } = await serve(
      work,
      '--host',
      '0.0.0.0',
      '--token-file',
      file,
      '--allow-host',
      'box.example',
    )
    const authorization = `Bearer ${'x'.repeat(40)}`
    expect((await ask(url, { headers: { authorization, host: 'box.example' }, body: HELLO })).status).toBe(
      200,
    )
    expect((await ask(url, { headers: { authorization, host: 'evil.example' }, body: HELLO })).status).toBe(
      403,
    )
    expect((await ask(url, { headers: { host: 'box.example' }, body: HELLO })).status).toBe(401)
  })
})

describe('over HTTP', () => {
  it('clients of both revisions get their own answers, sixteen at a time, the very first too', async () => {
    const repository = gitRepository()
    const nonce = (i: number) => `zq${(i * 7_919 + 104_729).toString(36)}x`
    for (let i = 0; i < 16; i++)
      repository.commit(`Make ${nonce(i)}`, { [`src/n${i}.py`]: `def ${nonce(i)}():\n    return ${i}\n` })
    const { url } = await serve(repository.work)
    const revisions: readonly Revision[] = ['2025-11-25', '2026-07-28']
    const clients = await Promise.all(Array.from({ length: 16 }, (_, i) => clientOf(url, revisions[i % 2]!)))
    for (const tool of ['semantic_search', 'find_pattern', 'semantic_search'])
      await Promise.all(
        clients.map(async (client, i) => {
          const result = await client.callTool(
            { name: tool, arguments: { query: nonce(i), detail: 'compact' } },
            { timeout: 120_000 },
          )
          const { hits } = result.structuredContent as { hits: { path: string }[] }
          expect(hits[0]?.path, JSON.stringify(result.content)).toBe(`src/n${i}.py`)
        }),
      )
  })

  it('reports progress while the first index is made', async () => {
    const repository = gitRepository()
    const lines = (part: number) =>
      Array.from({ length: 200 }, (_, j) => `export const v${part}_${j} = ${j}`).join('\n')
    repository.commit(
      'Parts',
      Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`src/f${i}.ts`, lines(i)])),
    )
    const { url } = await serve(repository.work)
    const client = await clientOf(url, '2026-07-28')
    const seen: number[] = []
    await client.callTool(
      { name: 'semantic_search', arguments: { query: 'v3 7' } },
      { timeout: 120_000, onprogress: ({ progress }) => seen.push(progress) },
    )
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
  })

  it('too much is refused, and nothing of it stops the next', async () => {
    const { url, said } = await serve(agentRepository().work)
    const big = Buffer.alloc(10_000_000, 'x')
    const outcome = await ask(url, { body: big }).catch((error: NodeJS.ErrnoException) => error.code)
    expect([413, 'EPIPE', 'ECONNRESET']).toContain(typeof outcome === 'object' ? outcome.status : outcome)
    const chunked = await ask(url, {
      headers: { 'transfer-encoding': 'chunked' },
      body: Buffer.alloc(1_100_000, 32),
    }).catch((error: NodeJS.ErrnoException) => error.code)
    expect([413, 'EPIPE', 'ECONNRESET']).toContain(typeof chunked === 'object' ? chunked.status : chunked)
    expect((await ask(url, { body: '['.repeat(100_000) })).status).toBe(400)
    expect((await ask(url, { body: '{' })).status).toBe(400)
    expect((await ask(url, { body: '' })).status).toBe(400)
    // Half of a request, a client that goes away in the middle of an answer, and one that says nothing.
    const half = connect(Number(url.port), '127.0.0.1')
    half.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"json',
    )
    const silent = connect(Number(url.port), '127.0.0.1')
    for (const socket of [half, silent]) socket.on('error', () => {})
    const leaving = connect(Number(url.port), '127.0.0.1')
    leaving.on('error', () => {})
    const call = JSON.stringify({
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/call',
      params: { name: 'find_pattern', arguments: { query: 'retry' } },
    })
    leaving.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${call.length}\r\n\r\n${call}`,
    )
    await new Promise(resume => setTimeout(resume, 50))
    leaving.destroy()
    half.destroy()
    expect((await ask(url, { body: HELLO })).status).toBe(200)
    silent.destroy()

    const seed = Number(process.env.FUZZ_SEED ?? 20261116)
    console.log(`fuzz seed ${seed}`)
    const params = fc.record({
      name: fc.constantFrom('semantic_search', 'index_status', 'x'),
      arguments: fc.jsonValue(),
    })
    const method = fc.oneof(
      fc.constantFrom('tools/call', 'tools/list', 'initialize', 'server/discover'),
      fc.string(),
    )
    const message = fc.record(
      { jsonrpc: fc.constant('2.0'), id: fc.jsonValue({ maxDepth: 1 }), method, params },
      { requiredKeys: [] },
    )
    const body = fc.oneof(
      message.map(value => JSON.stringify(value)),
      fc.jsonValue().map(value => JSON.stringify(value)),
      fc.string({ unit: 'binary' }),
      fc.array(message, { maxLength: 3 }).map(value => JSON.stringify(value)),
    )
    const bodies = fc.sample(body, { numRuns: 4_000, seed })
    const takeTurns = async (): Promise<void> => {
      for (let text = bodies.pop(); text !== undefined; text = bodies.pop()) {
        const { status, text: said } = await ask(url, { body: text })
        expect(status, text).toBeLessThan(500)
        expect(said).not.toMatch(/\.js:\d+|node_modules|\n\s+at /)
      }
    }
    await Promise.all(Array.from({ length: 8 }, takeTurns))
    expect((await ask(url, { body: HELLO })).status).toBe(200)
    expect(said.stdout.trim().split('\n')).toHaveLength(1)
  })

  it('a name in the headers has to be the one in the body', async () => {
    const { url } = await serve(agentRepository().work)
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { name: 'index_status', arguments: {}, _meta: meta }
    const tell = (name: string) =>
      ask(url, {
        headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      })
    expect((await tell('index_status')).status).toBe(200)
    const wrong = await tell('semantic_search')
    expect(wrong.status).toBe(400)
    expect(JSON.parse(wrong.text).error.code).toBe(-32_020)
  })

  it('ends within two seconds of a signal, in the middle of calls too', async () => {
    const { child, ended, url } = await serve(agentRepository().work)
    const call = JSON.stringify({
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/call',
      params: { name: 'find_pattern', arguments: { query: 'retry' } },
    })
    const calls = Array.from({ length: 8 }, () => ask(url, { body: call }).catch(() => null))
    await new Promise(resume => setTimeout(resume, 50))
    const begun = performance.now()
    child.kill('SIGTERM')
    expect(await ended).toBe(143)
    // Two seconds, and what a busy machine adds to them.
    expect(performance.now() - begun).toBeLessThan(4_000)
    await Promise.all(calls)
  })

  it('says so when the port is taken', async () => {
    const { work } = agentRepository()
    const { url } = await serve(work)
    const { ended, said } = start(work, '--port', url.port)
    expect(await ended).toBe(2)
    expect(said.stderr).toMatch(/EADDRINUSE[\s\S]*--port 0/)
  })
})
