/**
 * A service that speaks chat completions on loopback and answers from the recorded rewrites: it finds the question in the prompt,
 * as a model would. So what is measured goes through prompt, network, parser and cache as it does for a user.
 */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Recorded } from './recorded.js'

export interface ReplayServer {
  readonly baseUrl: string
  close(): Promise<void>
}

const FENCED = /<<<(QUESTION-\w+)\n([\s\S]*)\n\1>>>/

export const startReplayServer = async (rows: readonly Recorded[]): Promise<ReplayServer> => {
  const known = new Map(rows.map(({ question, rewrites }) => [question.trim(), rewrites]))
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', piece => pieces.push(piece))
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(pieces).toString('utf8')) as {
        messages: { content: string }[]
      }
      const prompt = messages.at(-1)?.content ?? ''
      const rewrites = known.get(FENCED.exec(prompt)?.[2]?.trim() ?? '')
      if (rewrites === undefined) return response.writeHead(404).end('{}')
      const wanted = Object.entries(rewrites).filter(
        ([name, texts]) => texts.length > 0 && prompt.includes(`"${name}":`),
      )
      const content = JSON.stringify(Object.fromEntries(wanted))
      const usage = {
        prompt_tokens: Math.ceil(prompt.length / 4),
        completion_tokens: Math.ceil(content.length / 4),
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }], usage }))
    })
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise(closed => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
}
