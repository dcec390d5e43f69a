/**
 * Who may speak to the server over HTTP. Asked before anything else looks at a request: a page in a browser must not reach it
 * under a name of its own (DNS rebinding) nor by a form, and whoever has no token learns nothing.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'

export interface GuardOptions {
  /** Names besides those of this machine to itself. IPv6 in brackets. */
  readonly hosts: readonly string[]
  /** null: none is asked for. */
  readonly token: string | null
}

export interface Asking {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface Refusal {
  readonly status: 401 | 403 | 404 | 405 | 415
  readonly message: string
}

export const MCP_PATH = '/mcp'

/** Everything that is served, by path: nothing else is let through, so a route that is not here is not there. */
export const ROUTES: Readonly<Record<string, readonly string[]>> = { [MCP_PATH]: ['POST'] }

export const guardWith = ({ hosts, token }: GuardOptions): ((asking: Asking) => Refusal | null) => {
  const names = [...localhostAllowedHostnames(), ...hosts]
  const expected = token === null ? null : digest(token)
  return ({ method, path, headers }) => {
    const host = validateHostHeader(one(headers.host), names)
    if (!host.ok) return { status: 403, message: 'This host is not served' }
    const origin = validateOriginHeader(one(headers.origin), names)
    if (!origin.ok) return { status: 403, message: 'This origin is not served' }
    // Of equal length whatever was sent: how long it takes says nothing of the token.
    if (expected !== null && !timingSafeEqual(digest(bearerIn(one(headers.authorization))), expected))
      return { status: 401, message: 'A token is needed' }
    if (!Object.hasOwn(ROUTES, path)) return { status: 404, message: 'There is nothing here' }
    const methods = ROUTES[path]!
    if (!methods.includes(method)) return { status: 405, message: `Only ${methods.join(', ')} is understood` }
    // A form of a foreign page cannot send this type without asking first.
    if (!/^application\/json\s*(?:;|$)/i.test(one(headers['content-type']) ?? ''))
      return { status: 415, message: 'Only application/json is understood' }
    return null
  }
}

const bearerIn = (header: string | undefined): string => /^Bearer ([^\s]+)$/i.exec(header ?? '')?.[1] ?? ''

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const one = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header
