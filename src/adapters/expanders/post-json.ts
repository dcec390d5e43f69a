/**
 * One guarded request to a service that rewrites questions: http or https, to an address that was looked at, no redirects, no more
 * than a megabyte, and an end whatever the other side does. What is thrown names the host and nothing else: headers hold a key.
 */

import { lookup as systemLookup } from 'node:dns'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { QuarryError } from '../../core/errors.js'
import { reachOf } from './addresses.js'

export interface JsonRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Names that may lead to a private address. */
  readonly privateHosts: readonly string[]
  /** Ends the request, its answer included. */
  readonly signal: AbortSignal
  /** Where names lead. Default: as the system has it. */
  readonly resolve?: typeof systemLookup
}

export interface JsonReply {
  readonly status: number
  /** Seconds to wait, where the service asks for it. */
  readonly retryAfter: number | null
  readonly text: string
}

const LARGEST_REPLY = 1_048_576

export const postJson = async (request: JsonRequest): Promise<JsonReply> => {
  const { url, signal } = request
  requireSafe(url)
  if (isIP(bareHost(url)) !== 0) requireReachable(url, bareHost(url), request.privateHosts)
  const { request: open } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const body = JSON.stringify(request.body)
  const options: RequestOptions = {
    method: 'POST',
    // A connection of its own: nothing of one address is ever used for another.
    agent: false,
    lookup: guardedLookup(url, request.privateHosts, request.resolve ?? systemLookup),
    signal,
    headers: {
      ...request.headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      accept: 'application/json',
      'accept-encoding': 'identity',
    },
  }
  return new Promise((settle, fail) => {
    const giveUp = (error: unknown) =>
      fail(error instanceof QuarryError ? error : failure(url, reasonOf(error), error))
    const sent = open(url, options, reply => {
      read(reply, url).then(settle, error => {
        reply.destroy()
        giveUp(error)
      })
    })
    sent.on('error', giveUp)
    sent.end(body)
  })
}

export const requireSafe = (url: URL): void => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw failure(url, `${url.protocol} is not allowed, https: is`)
  if (url.username !== '' || url.password !== '') throw failure(url, 'the address holds a name or a password')
}

const read = async (reply: IncomingMessage, url: URL): Promise<JsonReply> => {
  const status = reply.statusCode ?? 0
  if (status >= 300 && status < 400) {
    reply.destroy()
    throw failure(url, `HTTP ${status}: it points elsewhere, and redirects are not followed`)
  }
  const encoding = reply.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') throw failure(url, 'the answer is compressed')
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of reply as AsyncIterable<Buffer>) {
    bytes += piece.byteLength
    if (bytes > LARGEST_REPLY) throw failure(url, `the answer is longer than ${LARGEST_REPLY} bytes`)
    pieces.push(piece)
  }
  if (!reply.complete) throw failure(url, 'the answer broke off')
  return {
    status,
    retryAfter: secondsOf(reply.headers['retry-after']),
    text: Buffer.concat(pieces).toString('utf8'),
  }
}

/** A number of seconds or a date. */
const secondsOf = (header: string | undefined): number | null => {
  if (header === undefined) return null
  const seconds = /^\d{1,6}$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

/** Looks at every address a name leads to, and hands exactly those on: there is no second look-up that could answer otherwise. */
const guardedLookup =
  (url: URL, privateHosts: readonly string[], resolve: typeof systemLookup): LookupFunction =>
  (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0)
      try {
        for (const { address } of addresses) requireReachable(url, address, privateHosts)
      } catch (refusal) {
        return done(refusal as Error, '', 0)
      }
      if (options.all) return (done as (...given: unknown[]) => void)(null, addresses)
      done(null, addresses[0]!.address, addresses[0]!.family)
    })
  }

const requireReachable = (url: URL, address: string, privateHosts: readonly string[]): void => {
  const reach = reachOf(address)
  if (reach === 'public') return
  if (reach === 'blocked') throw failure(url, 'its address is link-local or reserved, and never asked')
  const host = bareHost(url)
  const isNamed =
    isIP(host) !== 0 || host === 'localhost' || host.endsWith('.localhost') || privateHosts.includes(host)
  if (!isNamed)
    throw new QuarryError('EXPANDER_FAILED', `${url.host}: the name leads to a private address`, {
      hint: `add "${host}" to expander.privateHosts in your own settings file if that is meant`,
    })
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').toLowerCase()

export const failure = (url: URL, why: string, cause?: unknown): QuarryError =>
  new QuarryError('EXPANDER_FAILED', `${url.host || url.protocol}: ${why}`, { hint: 'quarry doctor', cause })

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the name cannot be resolved'
  if (code === 'ECONNREFUSED') return 'the connection is refused'
  if (code === 'ECONNRESET') return 'the connection broke off'
  return code ?? message
}
