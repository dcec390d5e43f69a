/**
 * Keeps what an expander wrote, one small file for each question, readable by its owner alone: the same question is asked once.
 * Failures are not kept. A file that cannot be read or written costs the saving, never the answer.
 */

import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { QuestionVariation } from '../../core/answers.js'
import type { Expander, ExpansionRequest } from '../../core/ports.js'
import { cleanVariation } from './clean-variation.js'
import { PROMPT_VERSION } from './prompt.js'

/** A page each: some megabytes at most. */
const MOST_FILES = 2_000
/** Names of models stay while the models behind them change. */
const LONGEST_AGE_MS = 30 * 86_400_000
const LARGEST_FILE = 65_536

const kept = z.object({
  variations: z
    .array(
      z.object({
        strategy: z.enum(['paraphrase', 'entity', 'step-back', 'decompose']),
        text: z.string().max(1000),
      }),
    )
    .min(1)
    .max(10),
  tokens: z.object({ prompt: z.number(), completion: z.number() }).nullable(),
})

export interface CacheOptions {
  readonly directory: string
  /** Whom the expander asks: the same model elsewhere may answer otherwise. */
  readonly origin: string
  readonly now: () => number
}

export const cached = (expander: Expander, options: CacheOptions): Expander => ({
  id: expander.id,
  async expand(request, signal) {
    const file = join(options.directory, `${keyOf(expander.id, options.origin, request)}.json`)
    const before = await readKept(file, request, options.now())
    if (before !== null) return { ...before, cached: true }
    const answer = await expander.expand(request, signal)
    await keep(
      file,
      JSON.stringify({ variations: answer.variations, tokens: answer.tokens }),
      options.directory,
    )
    return answer
  },
})

/** Deletes everything that was kept, and says how many questions that were. */
export const purgeExpansions = async (directory: string): Promise<number> => {
  const names = await filesIn(directory)
  await rm(directory, { recursive: true, force: true })
  return names.length
}

const keyOf = (id: string, origin: string, { question, count, strategies }: ExpansionRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([PROMPT_VERSION, id, origin, strategies, count, question]))
    .digest('hex')

const readKept = async (file: string, { question }: ExpansionRequest, now: number) => {
  try {
    const { mtimeMs, size } = await stat(file)
    if (now - mtimeMs > LONGEST_AGE_MS || size > LARGEST_FILE) return null
    const { variations, tokens } = kept.parse(JSON.parse(await readFile(file, 'utf8')))
    // Whoever can write the file could write anything: it is read as strictly as the model was.
    const clean = variations.flatMap(({ strategy, text }): QuestionVariation[] => {
      const cleaned = cleanVariation(text, question)
      return cleaned === null ? [] : [{ strategy, text: cleaned.text }]
    })
    return clean.length === 0 ? null : { variations: clean, tokens }
  } catch {
    return null
  }
}

const keep = async (file: string, text: string, directory: string): Promise<void> => {
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(text)
    } finally {
      await handle.close()
    }
    await rename(draft, file)
    await dropOldest(directory)
  } catch {
    await rm(draft, { force: true }).catch(() => {})
  }
}

/** A tenth at a time, so that not every answer pays for it. */
const dropOldest = async (directory: string): Promise<void> => {
  const names = await filesIn(directory)
  if (names.length <= MOST_FILES) return
  const aged = await Promise.all(
    names.map(async name => ({
      name,
      at: (await stat(join(directory, name)).catch(() => ({ mtimeMs: 0 }))).mtimeMs,
    })),
  )
  aged.sort((a, b) => a.at - b.at)
  for (const { name } of aged.slice(0, names.length - MOST_FILES * 0.9))
    await rm(join(directory, name), { force: true })
}

const filesIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => [])
