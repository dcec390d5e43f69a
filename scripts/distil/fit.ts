/** Fits the rows of the table so that the sum over a text points where the teacher's vector of that text points. Adam on
 * 1 − cosine; a token that no text holds keeps its start. */

import { shuffle } from './texts.js'

export interface FitOptions {
  readonly dimensions: number
  readonly epochs: number
  readonly random: () => number
  readonly onEpoch: (report: { epoch: number; trainCosine: number; heldOutCosine: number }) => void
}

const BATCH = 128
const LEARNING_RATE = 0.002
const WARM_UP = 50
/** One text in twenty is not learned from, to see what the table makes of texts it has not met. */
const HELD_OUT = 20

/** Changes `rows` in place. `texts` are token ids; `targets` hold a unit vector for each text, zeros for those to leave out. */
export function fitRows(
  rows: Float32Array,
  texts: readonly (readonly number[])[],
  targets: Float32Array,
  options: FitOptions,
): void {
  const { dimensions, epochs, random, onEpoch } = options
  const usable = texts.flatMap((ids, text) =>
    ids.length > 1 && targets[text * dimensions] !== 0 ? [text] : [],
  )
  const heldOut = usable.filter((_, position) => position % HELD_OUT === 0)
  const learned = usable.filter((_, position) => position % HELD_OUT !== 0)
  const update = adam(rows, dimensions, epochs * Math.ceil(learned.length / BATCH))

  /** The cosine of a text; its gradient is added to `gradient` when there is one. */
  const visit = (text: number, gradient?: RowGradient): number => {
    const ids = texts[text] as readonly number[]
    const sum = new Float32Array(dimensions)
    for (const id of ids)
      for (let column = 0; column < dimensions; column++) sum[column]! += rows[id * dimensions + column]!
    const length = Math.hypot(...sum) || 1e-9
    const start = text * dimensions
    let cosine = 0
    for (let column = 0; column < dimensions; column++)
      cosine += (sum[column]! / length) * targets[start + column]!
    if (gradient)
      gradient.add(ids, column => ((cosine * sum[column]!) / length - targets[start + column]!) / length)
    return cosine
  }

  for (let epoch = 1; epoch <= epochs; epoch++) {
    shuffle(learned, random)
    let cosines = 0
    for (let start = 0; start < learned.length; start += BATCH) {
      const gradient = rowGradient(dimensions)
      for (const text of learned.slice(start, start + BATCH)) cosines += visit(text, gradient)
      update(gradient)
    }
    const unseen = heldOut.reduce((sum, text) => sum + visit(text), 0)
    onEpoch({ epoch, trainCosine: cosines / learned.length, heldOutCosine: unseen / heldOut.length })
  }
}

interface RowGradient {
  readonly rows: ReadonlyMap<number, Float64Array>
  add(ids: readonly number[], slope: (column: number) => number): void
}

function rowGradient(dimensions: number): RowGradient {
  const rows = new Map<number, Float64Array>()
  const add: RowGradient['add'] = (ids, slope) => {
    const slopes = Float64Array.from({ length: dimensions }, (_, column) => slope(column))
    for (const id of ids) {
      let row = rows.get(id)
      if (!row) {
        row = new Float64Array(dimensions)
        rows.set(id, row)
      }
      for (let column = 0; column < dimensions; column++) row[column]! += slopes[column]!
    }
  }
  return { rows, add }
}

/** Moments are kept for every row and moved only when the row is met. */
function adam(rows: Float32Array, dimensions: number, steps: number): (gradient: RowGradient) => void {
  const first = new Float32Array(rows.length)
  const second = new Float32Array(rows.length)
  let step = 0
  return gradient => {
    step++
    const rate = LEARNING_RATE * Math.min(1, step / WARM_UP) * (1 - step / (steps + 1))
    const firstBias = 1 - 0.9 ** step
    const secondBias = 1 - 0.999 ** step
    for (const [id, slopes] of gradient.rows)
      for (let column = 0; column < dimensions; column++) {
        const place = id * dimensions + column
        const slope = slopes[column]!
        first[place] = 0.9 * first[place]! + 0.1 * slope
        second[place] = 0.999 * second[place]! + 0.001 * slope * slope
        rows[place]! -= (rate * first[place]!) / firstBias / (Math.sqrt(second[place]! / secondBias) + 1e-6)
      }
  }
}
