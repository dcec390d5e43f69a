/**
 * `npm run bench -- shown-chunks`: of a file that fixes an issue, is the chunk that stands for it one that the fix touches? Only files
 * with several chunks in the pool are asked about, of which some are touched and some are not; in the first second of an index.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Candidate } from '#dist/core/questions.js'
import { applyPriors } from '#dist/ranking/apply-priors.js'
import { recordResult } from '../report/result-line.js'
import { loadSets } from '../sets/load-sets.js'
import { findPlaces } from '../sets/places.js'
import { type Pool, poolsOf, sampleOf } from './pool.js'

interface FixedFile {
  readonly path: string
  /** First line and number of lines, before the fix. */
  readonly hunks: readonly (readonly [number, number])[]
}

interface Choice {
  readonly isTouched: boolean
  /** Share of the file's chunks in the pool that the fix touches: what chance would get. */
  readonly share: number
}

export const measureShownChunks = async (scratch: string): Promise<void> => {
  const places = findPlaces()
  const fixes = await readFixes(join(places.data, 'issues/instances.jsonl'))
  const [set] = await loadSets(['issues'], places, scratch)
  const rankings: Record<string, (pool: Pool) => readonly Candidate[]> = {
    'text lane': ({ candidates }) => byStrength(candidates),
    fusion: ({ candidates }) => [...candidates].sort((a, b) => b.score - a.score),
    best: ({ candidates, plan }) => applyPriors(candidates, plan),
  }
  const choices = Object.keys(rankings).map((): Choice[] => [])
  for await (const pool of poolsOf(sampleOf(set!), { scratch, stage: 'first' }))
    for (const [position, rank] of Object.values(rankings).entries())
      choices[position]!.push(...choicesIn(rank(pool), fixes.get(pool.query.id) ?? []))
  for (const [position, ranking] of Object.keys(rankings).entries()) {
    const made = choices[position]!
    const metrics = {
      touched: average(made.map(({ isTouched }) => Number(isTouched))),
      chance: average(made.map(({ share }) => share)),
    }
    console.log(ranking, made.length, JSON.stringify(metrics))
    await recordResult({
      ...{ name: 'shown-chunks', dataHash: set!.hash, n: made.length },
      ...{ config: { ranking, stage: 'first' }, metrics },
    })
  }
}

const readFixes = async (file: string): Promise<Map<string, readonly FixedFile[]>> => {
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean)
  return new Map(
    lines
      .map(line => JSON.parse(line) as { instance_id: string; gold_files: readonly FixedFile[] })
      .map(({ instance_id, gold_files }) => [instance_id, gold_files]),
  )
}

const choicesIn = (ranked: readonly Candidate[], fixed: readonly FixedFile[]): readonly Choice[] =>
  fixed.flatMap(({ path, hunks }) => {
    const ofFile = ranked.filter(({ chunk }) => chunk.path === path)
    const touched = ofFile.map(({ chunk }) =>
      hunks.some(([start, count]) => chunk.startLine < start + Math.max(count, 1) && chunk.endLine >= start),
    )
    const share = average(touched.map(Number))
    return ofFile.length < 2 || share === 0 || share === 1 ? [] : [{ isTouched: touched[0]!, share }]
  })

const byStrength = (candidates: readonly Candidate[]): readonly Candidate[] =>
  [...candidates].sort((a, b) => (b.signals.strengths.text ?? 0) - (a.signals.strengths.text ?? 0))

const average = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Number((values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3))
