/** The service that the settings name, ready to be asked, with what keeps it cheap and discreet. Loaded on first use. */

import { ANTHROPIC, anthropic } from '../adapters/expanders/anthropic.js'
import { cached } from '../adapters/expanders/cached.js'
import { OPENAI, openAiCompatible } from '../adapters/expanders/openai-compatible.js'
import type { Directories, Environment } from '../config/directories.js'
import { type ExpanderKey, findExpanderKey } from '../config/expander-key.js'
import type { Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { Expander } from '../core/ports.js'
import type { Settings } from '../core/settings.js'
import { redact } from '../text/redact.js'
import type { Finding } from './api.js'

export interface ServiceParts {
  readonly kind: 'openai' | 'anthropic'
  readonly settings: Settings
  readonly environment: Environment
  readonly directories: Directories
  /** Where rewrites are kept. */
  readonly kept: string
  readonly now: () => number
}

export interface OpenedService {
  readonly expander: Expander
  readonly warnings: readonly Warning[]
}

export const openService = (parts: ServiceParts): OpenedService => {
  const { service, key, baseUrl } = serviceOf(parts)
  const { kept: directory, now } = parts
  const expander = parts.settings.expander.cache
    ? cached(service, { directory, origin: baseUrl, now })
    : service
  return { expander: withoutSecrets(expander), warnings: key.warnings }
}

/** For `doctor`: who would be asked, and with `deep` whether it answers. */
export const examineService = async (parts: ServiceParts, deep: boolean): Promise<Finding> => {
  const subject = 'expander'
  try {
    const { service, key, baseUrl } = serviceOf(parts)
    const [warning] = key.warnings
    if (warning)
      return {
        subject,
        state: 'warning',
        message: warning.message,
        ...(warning.hint && { hint: warning.hint }),
      }
    const secret = key.origin === null ? 'without a key' : `key from ${key.origin}`
    const who = `${service.id} at ${new URL(baseUrl).host}, ${secret}`
    if (!deep || parts.settings.offline)
      return { subject, state: 'ok', message: `${who}; not asked, --deep does` }
    const { variations } = await service.expand({
      question: 'where are requests retried',
      count: 1,
      strategies: ['paraphrase'],
      firstResults: async () => [],
    })
    return { subject, state: 'ok', message: `${who} answers: ${variations[0]!.text}` }
  } catch (error) {
    const { message, hint } = error as QuarryError
    return { subject, state: 'warning', message, ...(hint && { hint }) }
  }
}

const MAKERS = {
  openai: { ...OPENAI, variable: 'OPENAI_API_KEY', open: openAiCompatible },
  anthropic: { ...ANTHROPIC, variable: 'ANTHROPIC_API_KEY', open: anthropic },
} as const

const serviceOf = (
  parts: ServiceParts,
): { readonly service: Expander; readonly key: ExpanderKey; readonly baseUrl: string } => {
  const { expander: chosen } = parts.settings
  const maker = MAKERS[parts.kind]
  const baseUrl = chosen.baseUrl || maker.baseUrl
  const isMakers = new URL(baseUrl).origin === new URL(maker.baseUrl).origin
  if (!isMakers && chosen.model === '')
    throw new QuarryError('BAD_CONFIG', 'expander.baseUrl is set, but no model', {
      hint: 'set QUARRY_EXPANDER_MODEL',
    })
  const key = findExpanderKey(parts.environment, parts.directories.config, isMakers ? maker.variable : null)
  if (isMakers && key.key === null)
    throw new QuarryError(
      'BAD_CONFIG',
      key.warnings[0]?.message ?? `There is no key for ${new URL(baseUrl).host}`,
      {
        hint: key.warnings[0]?.hint ?? `set QUARRY_EXPANDER_KEY or ${maker.variable}`,
      },
    )
  const { timeoutMs, privateHosts } = chosen
  const model = chosen.model || maker.model
  return { service: maker.open({ baseUrl, model, key: key.key, timeoutMs, privateHosts }), key, baseUrl }
}

/** A question may quote a line with a key in it: nobody outside needs that to reword it. */
const withoutSecrets = (expander: Expander): Expander => ({
  id: expander.id,
  expand: (request, signal) => expander.expand({ ...request, question: redact(request.question) }, signal),
})
