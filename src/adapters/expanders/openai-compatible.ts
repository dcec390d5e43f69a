/** Asks any service that speaks the chat completions of OpenAI: OpenAI, Ollama, LM Studio, vLLM, OpenRouter … */

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

export const OPENAI = { baseUrl: 'https://api.openai.com/v1', model: 'gpt-4o-mini' } as const

const completion = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }) }))
    .min(1),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
})

export const openAiCompatible = (options: ModelOptions): Expander => {
  const { model, key } = options
  const url = addressBelow(options.baseUrl, 'chat/completions')
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
  const { ask } = service({ ...options, url, headers })
  return modelExpander(`openai/${model}`, async (system, user, signal) => {
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ]
    const plain = { model, messages, stream: false }
    const reply = completion.safeParse(
      await ask([{ ...plain, temperature: 0, max_tokens: MOST_REPLY_TOKENS }, plain], signal),
    )
    if (!reply.success) throw wrongShape(url)
    const { choices, usage } = reply.data
    return {
      text: choices[0]!.message.content ?? '',
      tokens: usage ? { prompt: usage.prompt_tokens, completion: usage.completion_tokens } : null,
    }
  })
}
