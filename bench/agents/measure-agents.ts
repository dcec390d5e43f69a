/**
 * `npm run bench -- agents`: what an agent pays for the first relevant hit, and how much it has found within a budget, by the
 * tools of the MCP server as they write their answers, and by what agents do without them.
 */

import { join } from 'node:path'
import { meanScores } from '#dist/measuring/metrics/groups.js'
import { loadCommitSet } from '../history/commits-set.js'
import { recordResult } from '../report/result-line.js'
import { halfOf } from '../sets/halves.js'
import { loadSets } from '../sets/load-sets.js'
import { findPlaces } from '../sets/places.js'
import { readCode } from './code-questions.js'
import { tokenCounters } from './count-tokens.js'
import { readHistory } from './history-questions.js'
import type { ReadQuestion } from './reading.js'

export const measureAgents = async (options: {
  readonly sets: readonly string[]
  readonly scratch: string
  /** Repositories; null for all. */
  readonly only: readonly string[] | null
}): Promise<void> => {
  const { sets, scratch, only } = options
  const counters = await tokenCounters(join(scratch, 'home'))
  if (sets.includes('code-search')) {
    const [set] = await loadSets(['code-search'], findPlaces(), scratch)
    const rows: ReadQuestion[] = []
    for (const corpus of set!.corpora.filter(({ name }) => only?.includes(name) ?? true))
      rows.push(...(await readCode(corpus, scratch, counters)))
    await report('code-search', set!.hash, rows, only === null)
  }
  if (sets.includes('issues')) {
    const { hash, corpora } = await loadCommitSet(findPlaces(), scratch)
    const rows: ReadQuestion[] = []
    for (const corpus of corpora.filter(({ repository }) => only?.includes(repository) ?? true))
      rows.push(...(await readHistory(corpus, scratch, counters)))
    await report('issues', hash, rows, only === null)
  }
}

const report = async (
  set: string,
  dataHash: string,
  rows: readonly ReadQuestion[],
  isWhole: boolean,
): Promise<void> => {
  const groups = new Map<string, ReadQuestion[]>()
  for (const row of rows)
    for (const half of [halfOf(row.repository), 'both']) {
      const key = JSON.stringify({ set, half, ...row.config })
      groups.set(key, [...(groups.get(key) ?? []), row])
    }
  for (const [key, own] of groups) {
    const config = JSON.parse(key) as Record<string, string | number>
    const means = meanScores(own.map(row => ({ ...row, category: '', language: '' })))
    const metrics = Object.fromEntries(
      Object.entries({ ...means, median: median(own.map(({ scores }) => scores.tokens!)) }).map(
        ([name, value]) => [name, Math.round(value * 10_000) / 10_000],
      ),
    )
    console.log(JSON.stringify(config), JSON.stringify(metrics))
    // A look at some repositories is no result.
    if (!isWhole || config.half === 'tune') continue
    await recordResult({
      ...{ name: 'agents', dataHash },
      ...{ config, metrics, n: own.length },
    })
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
