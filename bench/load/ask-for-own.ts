/** One client under load: asks for its own word again and again, and checks that what comes back is its own and whole. */

import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@modelcontextprotocol/client'
import { ownPath } from './generate-repository.js'

export interface Own {
  readonly client: number
  readonly nonce: string
  /** Given only where the server has several. */
  readonly repo?: string
}

export interface Tally {
  readonly times: number[]
  readonly errors: string[]
  /** Answers of which the first hit was somebody else's: what it was instead. */
  readonly foreign: string[]
  /** Answers made of two versions of a file, or of one that never was. */
  torn: number
}

export const newTally = (): Tally => ({ times: [], errors: [], foreign: [], torn: 0 })

export const askOnce = async (
  client: Client,
  own: Own,
  versionNow: () => number,
  tally: Tally,
): Promise<void> => {
  const begun = performance.now()
  try {
    const result = await client.callTool({
      name: 'semantic_search',
      arguments: { query: own.nonce, limit: 3, ...(own.repo !== undefined && { repo: own.repo }) },
    })
    tally.times.push(performance.now() - begun)
    const { hits, error } = result.structuredContent as {
      hits?: readonly { path: string; text: string }[]
      error?: { message: string }
    }
    if (result.isError || hits === undefined) {
      tally.errors.push(error?.message ?? 'no hits')
      return
    }
    const [first] = hits
    if (first?.path !== ownPath(own.client) || !first.text.includes(own.nonce))
      tally.foreign.push(
        `${ownPath(own.client)}: ${first?.path ?? 'nothing'}, ${warningsOf(result.structuredContent)}`,
      )
    else if (!isWhole(first.text, versionNow())) tally.torn++
  } catch (error) {
    tally.errors.push((error as Error).message)
  }
}

export const askUntil = async (
  client: Client,
  own: Own,
  options: { readonly until: number; readonly pauseMs: number; readonly versionNow: () => number },
  tally: Tally,
): Promise<void> => {
  while (Date.now() < options.until) {
    await askOnce(client, own, options.versionNow, tally)
    // All at the same moment would be another load than twenty agents are.
    await pause(options.pauseMs * (0.5 + Math.random()))
  }
}

const warningsOf = (data: unknown): string => JSON.stringify((data as { warnings?: unknown }).warnings)

const isWhole = (text: string, latest: number): boolean => {
  const versions = new Set([...text.matchAll(/\bv(\d+)\b/g)].map(([, version]) => Number(version)))
  return versions.size === 1 && [...versions][0]! <= latest
}
