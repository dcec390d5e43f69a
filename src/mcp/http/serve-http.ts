/** `quarry serve`: the same tools over Streamable HTTP at `/mcp`, for many clients at once. Every request has a server of its own. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { QuarryError } from '../../core/errors.js'
import { openRoots, type RootsOptions } from '../open-roots.js'
import { buildServer, deskOf } from '../server.js'
import { LARGEST_BODY, readBody, sendRefusal, sendResponse, webRequest } from './exchange.js'
import { guardWith, MCP_PATH } from './guard.js'

export interface ServeHttpOptions extends RootsOptions {
  readonly version: string
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Names that clients elsewhere reach it by. */
  readonly allowedHosts: readonly string[]
  readonly token: string | null
  /** Told when it listens. */
  readonly onReady: (address: string) => Promise<void>
  readonly talk: (text: string) => void
  readonly signal: AbortSignal
}

const HEADERS_MS = 10_000
const BODY_MS = 30_000
/** Clients keep a connection for some seconds: closed by us in the same moment as they use it again, a call would fail. */
const IDLE_MS = 75_000
/** More at a time are told to come again. */
const MOST_CALLS = 64
const CLOSE_MS = 1_500

/** Ends when the signal comes. */
export const serveHttp = async (options: ServeHttpOptions): Promise<void> => {
  const { version, host, port, allowedHosts, token, onReady, talk, signal, ...rootsOptions } = options
  if (token === null && !isLoopback(host))
    throw new QuarryError('BAD_INPUT', `${host} can be reached from elsewhere: a token is needed`, {
      hint: 'quarry serve --token-file FILE, or without --host',
    })
  const roots = openRoots(rootsOptions, signal)
  const openDesk = deskOf(roots)
  const complain = (error: Error): void =>
    talk(`quarry serve: ${error.message.split('\n')[0]!.slice(0, 300)}\n`)
  const handler = createMcpHandler(() => buildServer({ version, openDesk }), {
    maxRequestBodySize: LARGEST_BODY,
    onerror: complain,
  })
  const refusal = guardWith({ hosts: [...allowedHosts, ...(isAny(host) ? [] : [bracketed(host)])], token })
  let calls = 0

  const answer = async (request: IncomingMessage, out: ServerResponse): Promise<void> => {
    const { pathname: path } = new URL(request.url ?? '/', 'http://localhost')
    const refused = refusal({ method: request.method ?? '', path, headers: request.headers })
    if (refused) return sendRefusal(refused.status, refused.message, out)
    if (calls >= MOST_CALLS) return sendRefusal(429, 'Too many calls at a time', out)
    calls++
    const gone = new AbortController()
    out.on('close', () => gone.abort())
    try {
      const body = await readBody(request)
      if (typeof body === 'number')
        return sendRefusal(body, body === 413 ? 'Too long' : 'Nested too deep', out)
      await sendResponse(await handler.fetch(webRequest(request, body, gone.signal)), out)
    } finally {
      calls--
    }
  }

  const limits = { requestTimeout: BODY_MS, headersTimeout: HEADERS_MS, keepAliveTimeout: IDLE_MS }
  const server = createServer(limits, (request, out) => {
    answer(request, out).catch((error: Error) => {
      complain(error)
      if (out.headersSent) out.destroy()
      else sendRefusal(500, 'Something went wrong', out)
    })
  })
  const { port: taken } = await listen(server, host, port)
  await onReady(`http://${isAny(host) ? 'localhost' : bracketed(host)}:${taken}${MCP_PATH}`)
  if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
  server.close()
  server.closeIdleConnections()
  const tidy = [handler.close(), ...[...roots.values()].map(root => root.close())]
  await Promise.race([Promise.allSettled(tidy), pause(CLOSE_MS)])
  server.closeAllConnections()
}

const listen = (server: Server, host: string, port: number): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const message = `${host}:${port} cannot be listened on: ${cause.code ?? cause.message}`
      reject(
        new QuarryError('BAD_INPUT', message, { hint: 'quarry serve --port 0 takes a free port', cause }),
      )
    })
    server.listen(port, host, () => resolve(server.address() as AddressInfo))
  })

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)

const isAny = (host: string): boolean => host === '0.0.0.0' || host === '::'

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)
