/** What each setting may be. Loaded only when a file, a variable or a flag sets something: zod takes a while to load. */

import { z } from 'zod'
import type { ExpansionStrategy, Settings } from '../core/settings.js'
import type { SettingKey } from './settings.js'

/** The descriptions complete the sentence "… must be". */
const whole = (least: number, most: number) =>
  z.int().min(least).max(most).describe(`a whole number from ${least} to ${most}`)
const between = (least: number, most: number) =>
  z.number().min(least).max(most).describe(`a number from ${least} to ${most}`)
const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words).describe(`one of ${words.join(', ')}`)
const yesOrNo = z.boolean().describe('true or false')
const words = z.array(z.string().min(1).max(1000)).max(1000).describe('a list of texts')
const modelName = z
  .string()
  .regex(/^[\w.-]{1,100}$/)
  .describe('the name of a model')
const address = z
  .union([z.literal(''), z.url({ protocol: /^https?$/ })])
  .describe('an address that begins with https:// or http://')

const hasNoCredentials = (text: string): boolean => {
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

const STRATEGIES = [
  'paraphrase',
  'entity',
  'step-back',
  'decompose',
] as const satisfies readonly ExpansionStrategy[]

const sha256 = z.string().regex(/^[0-9a-f]{64}$/i)

const modelPath = z.strictObject({
  path: z.string().min(1),
  sha256: z.strictObject({ model: sha256.optional(), tokenizer: sha256.optional() }).optional(),
})

const settingsSchema = z.object({
  profile: oneOf(['best', 'classic']),
  limit: whole(1, 1000),
  lanes: z.object({ top: whole(1, 10_000) }),
  rrfK: between(1, 10_000),
  pool: whole(1, 10_000),
  multiHop: z.object({
    enabled: yesOrNo,
    hops: whole(1, 10),
    expansion: between(0, 10),
    initialMultiplier: between(1, 100),
  }),
  priors: z.object({ enabled: yesOrNo }),
  rerank: z.object({ enabled: yesOrNo, model: modelName, weight: between(0, 1) }),
  recency: z.object({ weight: between(0, 10), decayDays: between(0.001, 100_000) }),
  diversity: z.object({ maxPerFile: whole(0, 1000) }),
  multiQuery: z.object({
    enabled: yesOrNo,
    variations: whole(1, 10),
    strategies: z
      .array(z.enum(STRATEGIES))
      .min(1)
      .max(4)
      .describe(`a list of ${STRATEGIES.join(', ')}`),
    includeOriginal: yesOrNo,
    originalWeight: between(0.1, 100),
  }),
  expander: z.object({
    kind: oneOf(['auto', 'local', 'openai', 'anthropic', 'none']),
    baseUrl: address
      .refine(text => text === '' || hasNoCredentials(text))
      .describe('an address that begins with https:// or http:// and holds no name or password'),
    model: z
      .string()
      .regex(/^[\w.:/@-]{0,200}$/)
      .describe('the name of a model'),
    timeoutMs: whole(100, 120_000),
    cache: yesOrNo,
    privateHosts: words,
  }),
  embedding: z.object({
    models: z.array(modelName).max(4).describe('a list of at most four names of models'),
    furtherModelsBelow: between(0, 1_000_000),
    maxTokens: whole(16, 512),
    threads: whole(0, 256),
  }),
  history: z.object({
    enabled: yesOrNo,
    refs: words,
    maxCommits: whole(0, 100_000_000),
    limit: whole(1, 1000),
    recencyWeight: between(0, 10),
    maxPerFile: whole(0, 1000),
  }),
  notes: z.object({ recencyWeight: between(0, 10), maxPerSession: whole(0, 1000) }),
  index: z.object({
    maxFileBytes: whole(1, 67_108_864),
    ignore: words,
    include: words,
    chunkCharacters: whole(200, 20_000),
    workers: whole(0, 64),
  }),
  offline: yesOrNo,
  models: z.object({
    hub: address,
    registry: address,
    paths: z
      .record(modelName, z.union([z.string().min(1), modelPath]))
      .describe('a table by name of model: a directory, or { path, sha256 = { model, tokenizer } }'),
  }),
}) satisfies z.ZodType<Settings>

/** The value, checked, or what it must be instead. */
export const checkValue = (
  key: SettingKey,
  value: unknown,
): { readonly value: unknown } | { readonly mustBe: string } => {
  const leaf = key
    .split('.')
    .reduce<z.ZodType>((schema, part) => (schema as z.ZodObject).shape[part] as z.ZodType, settingsSchema)
  const result = leaf.safeParse(value)
  return result.success ? { value: result.data } : { mustBe: leaf.description ?? 'something else' }
}
