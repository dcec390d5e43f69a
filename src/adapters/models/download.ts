/** One guarded download: https only, redirects checked by hand, no more bytes than allowed, no silence longer than allowed. */

import { QuarryError } from '../../core/errors.js'

export type Fetch = typeof globalThis.fetch

export interface DownloadRequest {
  readonly url: string
  readonly fetch: Fetch
  readonly token?: string
  /** Reading stops with an error beyond this. */
  readonly maxBytes: number
  /** Until the answer begins. */
  readonly connectMilliseconds: number
  /** Between two pieces of the answer. */
  readonly stallMilliseconds: number
  readonly signal?: AbortSignal | undefined
}

const MOST_REDIRECTS = 5

/** Yields the bytes of the answer. Failures are QuarryErrors that say what happened in words. */
export async function* download(request: DownloadRequest): AsyncGenerator<Buffer> {
  const watch = watchdog(request.signal)
  try {
    watch.within(request.connectMilliseconds, `no answer within ${request.connectMilliseconds / 1000} s`)
    const response = await follow(request, watch.signal)
    const reader = response.body?.getReader()
    if (!reader) throw failure(request.url, 'the answer is empty')
    let received = 0
    for (;;) {
      watch.within(request.stallMilliseconds, `no bytes for ${request.stallMilliseconds / 1000} s`)
      const { done, value } = await reader.read()
      watch.rest()
      if (done) return
      received += value.byteLength
      if (received > request.maxBytes) throw failure(request.url, `more than ${request.maxBytes} bytes`)
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
  } catch (error) {
    if (request.signal?.aborted)
      throw new QuarryError('CANCELLED', 'The download was cancelled', { cause: error })
    if (error instanceof QuarryError) throw error
    if (watch.reason)
      throw new QuarryError('TIMEOUT', `${hostOf(request.url)}: ${watch.reason}`, { cause: error })
    throw failure(request.url, reasonOf(error), error)
  } finally {
    // Also reached when the reader of this generator stops early: the connection must not stay open.
    watch.end()
  }
}

async function follow(request: DownloadRequest, signal: AbortSignal): Promise<Response> {
  const origin = new URL(request.url).origin
  let url = new URL(request.url)
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    requireSafe(url)
    const headers: Record<string, string> = { 'accept-encoding': 'identity' }
    // A token belongs to the registry alone: it does not travel to the storage that the registry points at.
    if (request.token && url.origin === origin) headers.authorization = `Bearer ${request.token}`
    const response = await request.fetch(url, { headers, redirect: 'manual', signal })
    if (response.status === 200) return response
    await response.body?.cancel()
    const target = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || !target)
      throw failure(url.href, `HTTP ${response.status}`)
    url = new URL(target, url)
  }
  throw failure(request.url, 'too many redirects')
}

/** Plain http is for servers on this very machine only. */
function requireSafe(url: URL): void {
  if (url.protocol === 'https:') return
  if (url.protocol === 'http:' && url.hostname === '127.0.0.1') return
  throw failure(url.href, `${url.protocol}// is not allowed, https:// is`)
}

function watchdog(outer: AbortSignal | undefined) {
  const controller = new AbortController()
  const cancel = () => controller.abort()
  let timer: NodeJS.Timeout | undefined
  let reason: string | undefined
  if (outer?.aborted) cancel()
  outer?.addEventListener('abort', cancel, { once: true })
  const rest = () => clearTimeout(timer)
  return {
    signal: controller.signal,
    get reason() {
      return reason
    },
    within(milliseconds: number, otherwise: string) {
      rest()
      timer = setTimeout(() => {
        reason = otherwise
        controller.abort()
      }, milliseconds)
    },
    rest,
    end() {
      rest()
      outer?.removeEventListener('abort', cancel)
      controller.abort()
    },
  }
}

const hostOf = (url: string) => new URL(url).host

/** Only the host is named: an address may carry a secret. */
const failure = (url: string, why: string, cause?: unknown) =>
  new QuarryError('MODEL_MISSING', `${hostOf(url)}: ${why}`, { cause })

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = (cause as NodeJS.ErrnoException).code
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the name cannot be resolved'
  if (code === 'ECONNREFUSED') return 'the connection is refused'
  return cause instanceof Error ? cause.message : String(cause)
}
