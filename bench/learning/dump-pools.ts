/** `npm run bench -- pools`: writes the features of every pool as JSON lines, for looking at misses with other tools. */

import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { FEATURES, featuresOf } from '#dist/ranking/features.js'
import { loadSets } from '../sets/load-sets.js'
import { findPlaces } from '../sets/places.js'
import { kindOf } from './judge.js'
import { poolsOf, type Stage } from './pool.js'

export const dumpPools = async (options: {
  readonly sets: readonly string[]
  readonly stages: readonly string[]
  readonly scratch: string
  readonly directory: string
}): Promise<void> => {
  const { sets, stages, scratch, directory } = options
  for (const set of await loadSets(sets, findPlaces(), scratch)) {
    for (const stage of stages) {
      const file = createWriteStream(join(directory, `pools-${set.name}-${stage}.jsonl`))
      file.write(`${JSON.stringify({ features: FEATURES, models: [stage] })}\n`)
      let corpus = ''
      for await (const pool of poolsOf(set.corpora, { scratch, stage: stage as Stage })) {
        const { candidates, targets, query, plan } = pool
        if (pool.corpus.name !== corpus) console.log(stage, pool.corpus.name)
        corpus = pool.corpus.name
        file.write(
          `${JSON.stringify({
            set: set.name,
            corpus,
            repo: pool.corpus.repository,
            lang: pool.corpus.language,
            id: query.id,
            q: query.text.slice(0, 300),
            cat: query.category,
            kind: kindOf(pool),
            targets,
            paths: candidates.map(({ chunk }) => chunk.path),
            lines: candidates.map(({ chunk }) => chunk.startLine),
            fused: candidates.map(({ score }) => score),
            sig: candidates.map(({ signals }) => [
              signals.ranks.text ?? 0,
              signals.ranks.symbol ?? 0,
              signals.ranks.vector ?? 0,
              ...Object.values(signals.cosines),
            ]),
            x: featuresOf(candidates, plan).map(row => Array.from(row, value => Number(value.toFixed(4)))),
          })}\n`,
        )
      }
      file.end()
      await finished(file)
    }
  }
}
