/** The MCP server itself, as one connection or one request sees it. Light: what the tools need loads when they are asked for. */

import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { Desk } from './desk.js'
import { CAPABILITIES, INSTRUCTIONS, identityOf } from './identity.js'
import type { Root } from './root.js'

export interface ServerParts {
  readonly version: string
  readonly openDesk: () => Promise<Desk>
  /** Told when a request begins and, by what it gives back, when it ends. */
  readonly onRequest?: () => () => void
}

export const buildServer = ({ version, openDesk, onRequest = () => () => {} }: ServerParts): Server => {
  const server = new Server(identityOf(version), { capabilities: CAPABILITIES, instructions: INSTRUCTIONS })
  const atDesk = async <Result>(work: (desk: Desk) => Result | Promise<Result>): Promise<Result> => {
    const end = onRequest()
    try {
      return await work(await openDesk())
    } finally {
      end()
    }
  }
  server.setRequestHandler('tools/list', () => atDesk(({ list }) => ({ tools: [...list] })))
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    atDesk(async desk => {
      const result = await desk.call(params.name, params.arguments ?? {}, mcpReq)
      if (result !== null) return { ...result }
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}`)
    }),
  )
  return server
}

/** One desk for all servers of a process, made by the first request that needs it. */
export const deskOf = (roots: ReadonlyMap<string, Root>): (() => Promise<Desk>) => {
  let opened: Promise<Desk> | undefined
  return () => {
    const opening = opened ?? import('./desk.js').then(({ openDesk }) => openDesk(roots))
    opened = opening
    opening.catch(() => {
      opened = undefined
    })
    return opening
  }
}
