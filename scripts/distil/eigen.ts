/** Principal axes of a cloud of vectors, by Jacobi rotations of its second-moment matrix: plain and exact enough for the 384
 * dimensions of the models here. */

export interface Axes {
  /** Strongest first, each of length 1. */
  readonly axes: readonly Float64Array[]
  readonly energies: readonly number[]
}

/** Vectors lie one after another in `rows`. They are not centred: cosines are what must survive. */
export function principalAxes(rows: Float32Array, width: number): Axes {
  const moment = new Float64Array(width * width)
  for (let start = 0; start < rows.length; start += width) {
    for (let a = 0; a < width; a++) {
      const left = rows[start + a] as number
      for (let b = a; b < width; b++) moment[a * width + b] = moment[a * width + b]! + left * rows[start + b]!
    }
  }
  for (let a = 0; a < width; a++) for (let b = 0; b < a; b++) moment[a * width + b] = moment[b * width + a]!
  return diagonalise(moment, width)
}

/** Coordinates of every row along the first `count` axes. */
export function project(rows: Float32Array, width: number, { axes }: Axes, count: number): Float32Array {
  const total = rows.length / width
  const projected = new Float32Array(total * count)
  for (let row = 0; row < total; row++)
    for (let axis = 0; axis < count; axis++) {
      const direction = axes[axis] as Float64Array
      let sum = 0
      for (let column = 0; column < width; column++) sum += direction[column]! * rows[row * width + column]!
      projected[row * count + axis] = sum
    }
  return projected
}

function diagonalise(matrix: Float64Array, size: number): Axes {
  const vectors = new Float64Array(size * size)
  for (let row = 0; row < size; row++) vectors[row * size + row] = 1
  for (let sweep = 0; sweep < 15 && offDiagonalShare(matrix, size) > 1e-18; sweep++)
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(matrix, vectors, size, p, q)
  const order = Array.from({ length: size }, (_, row) => row).sort(
    (a, b) => matrix[b * size + b]! - matrix[a * size + a]!,
  )
  return {
    axes: order.map(row => vectors.slice(row * size, (row + 1) * size)),
    energies: order.map(row => matrix[row * size + row]!),
  }
}

/** Turns rows and columns p and q so that the entry they share becomes zero. */
function rotate(matrix: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const shared = matrix[p * size + q]!
  if (Math.abs(shared) < 1e-300) return
  const slope = (matrix[q * size + q]! - matrix[p * size + p]!) / (2 * shared)
  const tangent = (slope < 0 ? -1 : 1) / (Math.abs(slope) + Math.hypot(slope, 1))
  const cosine = 1 / Math.hypot(tangent, 1)
  const sine = tangent * cosine
  const turn = (values: Float64Array, one: number, other: number) => {
    const x = values[one]!
    const y = values[other]!
    values[one] = cosine * x - sine * y
    values[other] = sine * x + cosine * y
  }
  for (let k = 0; k < size; k++) turn(matrix, k * size + p, k * size + q)
  for (let k = 0; k < size; k++) turn(matrix, p * size + k, q * size + k)
  for (let k = 0; k < size; k++) turn(vectors, p * size + k, q * size + k)
}

function offDiagonalShare(matrix: Float64Array, size: number): number {
  let off = 0
  let diagonal = 0
  for (let p = 0; p < size; p++) {
    diagonal += matrix[p * size + p]! ** 2
    for (let q = p + 1; q < size; q++) off += matrix[p * size + q]! ** 2
  }
  return off / diagonal
}
