/** Asks the messages service of Anthropic. */

import { z } from 'zod'
import type { Expander } from '../../core/ports.js'
import { service } from './ask-service.js'
import {
  addressBelow,
  MOST_REPLY_TOKENS,
  type ModelOptions,
  modelExpander,
  wrongShape,
} from './model-expander.js'

export const ANTHROPIC = { baseUrl: 'https://api.anthropic.com', model: 'claude-haiku-4-5' } as const

const message = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).nullish(),
})

export const anthropic = (options: ModelOptions): Expander => {
  const { model, key } = options
  const url = addressBelow(options.baseUrl, 'v1/messages')
  const headers = { 'anthropic-version': '2023-06-01', ...(key !== null && { 'x-api-key': key }) }
  const { ask } = service({ ...options, url, headers })
  return modelExpander(`anthropic/${model}`, async (system, user, signal) => {
    const messages = [{ role: 'user', content: user }]
    const reply = message.safeParse(
      await ask([{ model, max_tokens: MOST_REPLY_TOKENS, system, messages }], signal),
    )
    if (!reply.success) throw wrongShape(url)
    const { content, usage } = reply.data
    return {
      text: content.flatMap(({ text }) => text ?? []).join('\n'),
      tokens: usage ? { prompt: usage.input_tokens, completion: usage.output_tokens } : null,
    }
  })
}
