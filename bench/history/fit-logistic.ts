/** Logistic regression by Newton's method with a little weight decay: a handful of features, some thousands of examples. */

const DECAY = 1
const ROUNDS = 30

export const fitLogistic = (rows: readonly (readonly number[])[], labels: readonly number[]): number[] => {
  const width = rows[0]?.length ?? 0
  let weights = new Array<number>(width).fill(0)
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = weights.map(weight => -DECAY * weight)
    const curvature = weights.map((_, i) => weights.map((_, j) => (i === j ? DECAY : 0)))
    rows.forEach((row, at) => {
      const chance = 1 / (1 + Math.exp(-row.reduce((sum, value, i) => sum + value * weights[i]!, 0)))
      for (let i = 0; i < width; i++) {
        gradient[i]! += (labels[at]! - chance) * row[i]!
        for (let j = 0; j < width; j++) curvature[i]![j]! += chance * (1 - chance) * row[i]! * row[j]!
      }
    })
    const step = solve(curvature, gradient)
    weights = weights.map((weight, i) => weight + step[i]!)
  }
  return weights
}

/** Gaussian elimination; the matrix is positive definite, so no row needs to change places. */
const solve = (matrix: readonly (readonly number[])[], right: readonly number[]): number[] => {
  const rows = matrix.map((row, i) => [...row, right[i]!])
  const width = right.length
  for (let i = 0; i < width; i++) {
    for (let below = i + 1; below < width; below++) {
      const share = rows[below]![i]! / rows[i]![i]!
      for (let j = i; j <= width; j++) rows[below]![j]! -= share * rows[i]![j]!
    }
  }
  const solution = new Array<number>(width).fill(0)
  for (let i = width - 1; i >= 0; i--) {
    const known = rows[i]!.slice(i + 1, width).reduce(
      (sum, value, at) => sum + value * solution[i + 1 + at]!,
      0,
    )
    solution[i] = (rows[i]![width]! - known) / rows[i]![i]!
  }
  return solution
}
