/** From a request of Node to one of the web and back, within limits of size, depth and time. */

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isTooDeep } from '../depth.js'

export const LARGEST_BODY = 1 << 20

/** The body, or the status that refuses it. */
export const readBody = async (request: IncomingMessage): Promise<Buffer | 400 | 413> => {
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY) return 413
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > LARGEST_BODY) return 413
    parts.push(part)
  }
  const body = Buffer.concat(parts)
  return isTooDeep(body) ? 400 : body
}

export const webRequest = (request: IncomingMessage, body: Buffer, signal: AbortSignal): Request => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    for (const one of Array.isArray(value) ? value : value === undefined ? [] : [value])
      headers.append(name, one)
  // The token has done its work: nothing behind needs to know it.
  headers.delete('authorization')
  const url = `http://localhost${request.url ?? '/'}`
  return new Request(url, { method: request.method ?? 'POST', headers, body: new Uint8Array(body), signal })
}

export const sendResponse = async (response: Response, out: ServerResponse): Promise<void> => {
  out.writeHead(response.status, { ...Object.fromEntries(response.headers), ...SAFE_HEADERS })
  if (response.body === null) {
    out.end()
    return
  }
  const reader = response.body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (out.destroyed) {
      await reader.cancel()
      return
    }
    if (!out.write(part.value)) await Promise.race([once(out, 'drain'), once(out, 'close')])
  }
  out.end()
}

export const sendRefusal = (status: number, message: string, out: ServerResponse): void => {
  const headers: Record<string, string> = {
    ...SAFE_HEADERS,
    'content-type': 'application/json',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 405 && { allow: 'POST' }),
    ...(status === 429 && { 'retry-after': '1' }),
    // What is still on its way is not waited for.
    connection: 'close',
  }
  out.writeHead(status, headers)
  out.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }))
}

/** Answers hold text of a repository: nobody may keep, guess at or frame them. */
const SAFE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const
