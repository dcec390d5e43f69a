/** What expanders that ask a language model have in common: prompt, question, strict reading of the reply. */

import { randomBytes } from 'node:crypto'
import type { ExpansionTokens } from '../../core/answers.js'
import { QuarryError } from '../../core/errors.js'
import type { Expander } from '../../core/ports.js'
import { parseVariations } from './parse-variations.js'
import { SYSTEM_PROMPT, userPrompt } from './prompt.js'

export interface ModelOptions {
  /** With or without a slash at its end. */
  readonly baseUrl: string
  readonly model: string
  readonly key: string | null
  readonly timeoutMs: number
  readonly privateHosts: readonly string[]
}

export interface ModelReply {
  readonly text: string
  readonly tokens: ExpansionTokens | null
}

export type AskModel = (system: string, user: string, signal?: AbortSignal) => Promise<ModelReply>

/** Room for ten variations in JSON, and an end for a model that rambles. */
export const MOST_REPLY_TOKENS = 800

export const modelExpander = (id: string, ask: AskModel): Expander => ({
  id,
  async expand({ question, count, strategies }, signal) {
    // Nobody can close a fence whose mark was drawn after the question was written.
    const mark = `QUESTION-${randomBytes(6).toString('hex')}`
    const { text, tokens } = await ask(SYSTEM_PROMPT, userPrompt(question, strategies, count, mark), signal)
    const variations = parseVariations(text, { question, count, strategies })
    if (variations.length === 0)
      throw new QuarryError('EXPANDER_FAILED', `${id}: nothing in its answer is a usable variation`, {
        hint: 'quarry doctor',
      })
    return { variations, cached: false, tokens }
  },
})

/** Below the path of the base, whatever that is. */
export const addressBelow = (baseUrl: string, path: string): URL => {
  let base: URL
  try {
    base = new URL(baseUrl)
  } catch {
    throw new QuarryError('BAD_CONFIG', 'expander.baseUrl is not an address', {
      hint: 'quarry config expander',
    })
  }
  base.pathname = `${base.pathname.replace(/\/+$/, '')}/${path}`
  return base
}

export const wrongShape = (url: URL): QuarryError =>
  new QuarryError('EXPANDER_FAILED', `${url.host}: its answer has another shape than expected`, {
    hint: 'quarry config expander',
  })
