/** What a question costs in a process that has answered others, and what late interaction adds to it. */

import { openQuarry } from '#dist/index.js'
import { quantile } from './in-turn.js'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Questions {
  /** Asked first: a process is warm when its code is, not when it has heard the question before. */
  readonly others: readonly string[]
  readonly asked: readonly string[]
}

export const warmQuestions = async (
  root: string,
  environment: Environment,
  { others, asked }: Questions,
): Promise<Record<string, number>> => {
  const quarry = await openQuarry({ root, environment })
  const { index } = await quarry.search('warm up', { refresh: 'never' })
  for (const question of others) await quarry.search(question, { refresh: 'never' })
  const times: number[] = []
  for (const question of asked) {
    const started = performance.now()
    await quarry.search(question, { refresh: 'never' })
    times.push(performance.now() - started)
  }
  await quarry.close()
  return { chunks: index.chunks, ...spread(times) }
}

/** Each question with and without in turn; the difference counts. */
export const addedByReranking = async (
  root: string,
  environment: Environment,
  { others, asked }: Questions,
): Promise<Record<string, number>> => {
  const quarry = await openQuarry({ root, environment, overrides: { 'rerank.enabled': true } })
  const ask = async (question: string, rerank: boolean): Promise<number> => {
    const started = performance.now()
    const { warnings } = await quarry.search(question, { refresh: 'never', rerank })
    const failed = warnings.find(({ code }) => code === 'RERANK_FAILED' || code === 'MODEL_MISSING')
    if (failed) throw new Error(failed.message)
    return performance.now() - started
  }
  for (const question of others.slice(0, 10)) await ask(question, true)
  const added: number[] = []
  for (const question of asked) added.push((await ask(question, true)) - (await ask(question, false)))
  await quarry.close()
  return spread(added)
}

const spread = (times: readonly number[]) => ({ p50: quantile(times, 0.5), p95: quantile(times, 0.95) })
