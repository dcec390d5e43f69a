/**
 * Asks a service until it answers or the time is up: further attempts where a later one may fare better, with growing pauses or
 * the one that the service asks for. A service that keeps failing is left in peace for a while.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { QuarryError } from '../../core/errors.js'
import { failure, type JsonReply, postJson, requireSafe } from './post-json.js'

export interface Service {
  /** The reply, parsed. `bodies` are tried in turn where the service calls one a bad request: not everyone knows every option. */
  ask(bodies: readonly unknown[], signal?: AbortSignal): Promise<unknown>
}

export interface ServiceOptions {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly privateHosts: readonly string[]
  /** The clock, in milliseconds. */
  readonly now?: () => number
}

const MOST_ATTEMPTS = 3
const FIRST_PAUSE_MS = 250
const FAILURES_TO_REST = 3
const REST_MS = 30_000

export const service = (options: ServiceOptions): Service => {
  const { url, timeoutMs, now = Date.now } = options
  requireSafe(url)
  // The breaker. It lives as long as the engine: a single command is over before it could help.
  let failures = 0
  let restUntil = 0
  return {
    async ask(bodies, signal) {
      if (now() < restUntil)
        throw failure(
          url,
          `not asked again for ${Math.ceil((restUntil - now()) / 1000)} s, it failed ${failures} times`,
        )
      const deadline = AbortSignal.timeout(timeoutMs)
      const either = signal ? AbortSignal.any([signal, deadline]) : deadline
      try {
        const reply = await untilAnswered(options, bodies, either, now() + timeoutMs)
        failures = 0
        return reply
      } catch (error) {
        if (signal?.aborted) throw error
        failures++
        if (failures >= FAILURES_TO_REST) restUntil = now() + REST_MS
        if (deadline.aborted)
          throw new QuarryError('TIMEOUT', `${url.host}: no answer within ${timeoutMs / 1000} s`, {
            hint: 'quarry doctor',
          })
        throw error
      }
    },
  }
}

const untilAnswered = async (
  { url, headers, privateHosts, now = Date.now }: ServiceOptions,
  bodies: readonly unknown[],
  signal: AbortSignal,
  end: number,
): Promise<unknown> => {
  const rest = [...bodies]
  for (let attempt = 1; ; attempt++) {
    const reply = await abortable(postJson({ url, headers, body: rest[0], privateHosts, signal }), signal)
    if (reply.status === 200) return parsed(reply, url)
    if (reply.status === 400 && rest.length > 1) {
      rest.shift()
      continue
    }
    const wait = (reply.retryAfter ?? 0) * 1000 || FIRST_PAUSE_MS * 2 ** (attempt - 1)
    const isBusy = reply.status === 429 || reply.status >= 500
    if (!isBusy || attempt === MOST_ATTEMPTS || now() + wait >= end) throw failure(url, meaningOf(reply))
    await pause(wait, undefined, { signal })
  }
}

/** A name that is being resolved cannot be called back: it is no longer waited for. */
const abortable = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> => {
  const listening = new AbortController()
  const aborted = new Promise<never>((_, fail) => {
    if (signal.aborted) fail(signal.reason)
    signal.addEventListener('abort', () => fail(signal.reason), { once: true, signal: listening.signal })
  })
  // Whoever loses the race may still fail, unheard.
  work.catch(() => {})
  aborted.catch(() => {})
  return Promise.race([work, aborted]).finally(() => listening.abort())
}

const parsed = ({ text }: JsonReply, url: URL): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    const what = /^\s*</.test(text)
      ? 'a web page'
      : text.trim() === ''
        ? 'nothing'
        : 'something that is not JSON'
    throw failure(url, `it answered with ${what}`)
  }
}

/** Never what the reply says itself: services quote keys in it. */
const meaningOf = ({ status, retryAfter }: JsonReply): string => {
  if (status === 401 || status === 403) return `HTTP ${status}: the key is missing or refused`
  if (status === 404) return 'HTTP 404: there is no such model or address'
  if (status === 429)
    return `HTTP 429: too many requests${retryAfter ? `, to be asked again in ${Math.ceil(retryAfter)} s` : ''}`
  return `HTTP ${status}`
}
