/** From the token vectors of a model's last layer to one vector, or to a score. Pure arithmetic over flat arrays. */

/** The mean over all tokens, at length 1. Null when a number is not finite or all are zero: such a vector means nothing. */
export function meanVector(hidden: Float32Array, dimensions: number): Float32Array | null {
  const sum = new Float32Array(dimensions)
  for (let start = 0; start < hidden.length; start += dimensions)
    for (let column = 0; column < dimensions; column++)
      sum[column] = (sum[column] as number) + (hidden[start + column] as number)
  return unitVector(sum)
}

/** The vector of the first token, at length 1; null as above. */
export const firstVector = (hidden: Float32Array, dimensions: number): Float32Array | null =>
  unitVector(hidden.slice(0, dimensions))

export function unitVector(vector: Float32Array): Float32Array | null {
  let square = 0
  for (const value of vector) square += value * value
  const length = Math.sqrt(square)
  if (!Number.isFinite(length) || length < 1e-12) return null
  for (let column = 0; column < vector.length; column++) vector[column] = (vector[column] as number) / length
  return vector
}

/** The rows that are kept, each at length 1; a row that has no direction is dropped. */
export function keptRows(hidden: Float32Array, dimensions: number, keep: Uint8Array): Float32Array[] {
  const rows: Float32Array[] = []
  for (let row = 0; row < keep.length; row++) {
    if (!keep[row]) continue
    const vector = unitVector(hidden.slice(row * dimensions, (row + 1) * dimensions))
    if (vector) rows.push(vector)
  }
  return rows
}

/** For each token of the question the best match in the text, on average: between −1 and 1. */
export function maxSim(question: readonly Float32Array[], text: readonly Float32Array[]): number {
  if (question.length === 0 || text.length === 0) return -1
  let sum = 0
  for (const wanted of question) {
    let best = -1
    for (const offered of text) best = Math.max(best, dot(wanted, offered))
    sum += best
  }
  return sum / question.length
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let column = 0; column < a.length; column++) sum += a[column]! * b[column]!
  return sum
}
