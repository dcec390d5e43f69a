/** `quarry serve`: the tools for coding agents over HTTP. */

import { serveHttp } from '../../mcp/http/serve-http.js'
import { readTokenFile } from '../../mcp/http/token-file.js'
import { encode } from '../../present/json.js'
import type { Surroundings } from '../program.js'
import { keepHeapSmall } from '../small-heap.js'
import { rootsFrom, version } from './mcp.js'

interface Flags {
  readonly repo?: readonly string[]
  readonly host: string
  readonly port: number
  readonly tokenFile?: string
  readonly allowHost?: readonly string[]
  readonly offline?: boolean
  readonly json?: boolean
}

export const runServe = async (flags: Flags, { terminal, signal }: Surroundings): Promise<number> => {
  const { host, port, tokenFile, allowHost = [] } = flags
  keepHeapSmall()
  await serveHttp({
    ...rootsFrom(flags),
    ...{ version: version(), host, port, allowedHosts: allowHost, talk: terminal.talk, signal },
    token: tokenFile === undefined ? null : readTokenFile(tokenFile),
    onReady: address => terminal.print(flags.json ? `${encode({ address })}\n` : `${address}\n`),
  })
  return 0
}
