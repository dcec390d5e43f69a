/**
 * Makes `assets/static-table.bin`: one small vector for each token of a model's vocabulary, so that a text can be embedded
 * without the model.
 *
 *   node build/scripts/distil-static-table.js --repository DIR [--repository DIR …]
 *        [--model all-MiniLM-L6-v2] [--models DIR] [--dimensions 128] [--epochs 4] [--work DIR] [--out FILE]
 *
 * Each token goes through the model alone; the directions that matter for real texts are kept (principal axes of the
 * teacher's text vectors); common tokens count less (a / (a + frequency)); then the rows are fitted to the teacher's
 * vectors of real texts. `--epochs 0` leaves the fitting out. Prints JSON lines, and at the end what `static.ts` must name.
 */

import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { embedderSpecs } from '#dist/adapters/embedders/specs.js'
import { splitCamelCase } from '#dist/adapters/embedders/static.js'
import { encodeTable, tableRevision } from '#dist/adapters/embedders/static-table.js'
import { modelStore } from '#dist/adapters/models/store.js'
import { vocabularyOf, wordPieces } from '#dist/adapters/onnx/wordpiece.js'
import { principalAxes, project } from './distil/eigen.js'
import { fitRows } from './distil/fit.js'
import { textVectors, tokenVectors, vocabulary } from './distil/teacher.js'
import { repositoryTexts, seededRandom } from './distil/texts.js'

const { values } = parseArgs({
  options: {
    repository: { type: 'string', multiple: true, default: [] },
    model: { type: 'string', default: 'all-MiniLM-L6-v2' },
    models: { type: 'string', default: join(tmpdir(), 'quarry-test-models') },
    dimensions: { type: 'string', default: '128' },
    epochs: { type: 'string', default: '4' },
    work: { type: 'string', default: join(tmpdir(), 'quarry-distil') },
    out: { type: 'string', default: 'assets/static-table.bin' },
  },
})

const COUNTS = { pieces: 1_400, comments: 450, subjects: 350 }
/** Arora 2017 (smooth inverse frequency). */
const COMMON = 1e-3
const MOST_TOKENS = 160
/** Other scripts are single characters in this vocabulary and say little; without them the table is smaller. */
const USEFUL = /^(?:##)?[\x21-\x7e\u00a1-\u024f]+$/

const say = (line: object) => console.log(JSON.stringify(line))
const dimensions = Number(values.dimensions)
const spec = embedderSpecs[values.model]
if (!spec) throw new Error(`${values.model} is not an embedding model`)
const files = await modelStore({ directory: values.models, offline: false }).pull(values.model)

const random = seededRandom(1)
const texts: string[] = []
for (const repository of values.repository.sort())
  texts.push(...(await repositoryTexts(repository, COUNTS, random)))
say({ repositories: values.repository.length, texts: texts.length })

const whole = await vocabulary(files)
const keptIds = whole.flatMap((token, id) => (isUseful(token) ? [id] : []))
const tokens = keptIds.map(id => whole[id] as string)
const { encode } = wordPieces(vocabularyOf(tokens.map((token, id) => [token, id] as const)))
const ids = texts.map(text => encode(splitCamelCase(text), MOST_TOKENS))

const width = spec.dimensions
const targets = await textVectors(files, spec, texts, values.work)
const axes = principalAxes(targets, width)
const share = (count: number) => axes.energies.slice(0, count).reduce((sum, energy) => sum + energy, 0)
say({ tokens: tokens.length, dimensions, energyKept: Number((share(dimensions) / share(width)).toFixed(3)) })

const rows = project(centred(pick(await tokenVectors(files, spec, values.work))), width, axes, dimensions)
weigh(rows)
fitRows(rows, ids, unitRows(project(targets, width, axes, dimensions)), {
  dimensions,
  epochs: Number(values.epochs),
  random,
  onEpoch: say,
})
rows.fill(0, tokens.indexOf('[UNK]') * dimensions, (tokens.indexOf('[UNK]') + 1) * dimensions)

const table = encodeTable(dimensions, tokens, rows)
await writeFile(values.out, table)
say({ out: values.out, bytes: table.length, dimensions, revision: tableRevision(table) })

function isUseful(token: string): boolean {
  return token === '[UNK]' || (USEFUL.test(token) && !/^\[.+\]$/.test(token))
}

function pick(vectors: Float32Array): Float32Array {
  const picked = new Float32Array(keptIds.length * width)
  for (const [row, id] of keptIds.entries())
    picked.set(vectors.subarray(id * width, (id + 1) * width), row * width)
  return picked
}

/** What all tokens have in common tells none of them apart. */
function centred(vectors: Float32Array): Float32Array {
  const mean = new Float64Array(width)
  for (const [place, value] of vectors.entries()) mean[place % width]! += (value * width) / vectors.length
  return vectors.map((value, place) => value - mean[place % width]!)
}

/** Every row gets the length of its weight: rare tokens about 1, common ones less, unknown words none. */
function weigh(rows: Float32Array): void {
  const counts = new Float64Array(tokens.length).fill(1)
  for (const list of ids) for (const id of list) counts[id]! += 1
  const total = counts.reduce((sum, count) => sum + count, 0)
  for (const [id, token] of tokens.entries()) {
    const row = rows.subarray(id * dimensions, (id + 1) * dimensions)
    const weight = token === '[UNK]' ? 0 : COMMON / (COMMON + counts[id]! / total)
    const length = Math.hypot(...row) || 1
    for (let column = 0; column < dimensions; column++) row[column] = (row[column]! * weight) / length
  }
}

function unitRows(vectors: Float32Array): Float32Array {
  for (let start = 0; start < vectors.length; start += dimensions) {
    const row = vectors.subarray(start, start + dimensions)
    const length = Math.hypot(...row)
    if (length > 0) for (let column = 0; column < dimensions; column++) row[column]! /= length
  }
  return vectors
}
