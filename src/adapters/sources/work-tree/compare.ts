/** Compares files with the stamps they are expected to have, and what the two threads of `statuses.ts` say to each other. */

import { fileStatus } from './file-status.js'
import type { Refusal } from './read-bytes.js'

export interface Batch {
  readonly number: number
  readonly paths: readonly string[]
  /** The stamp of each path; '' where none is known. */
  readonly stamps: readonly string[]
}

/** A file that is not as expected: its position in the batch, and its stamp or why it has none. */
export type Difference = readonly [position: number, status: string | Refusal]

export interface BatchResult {
  readonly number: number
  readonly differences: readonly Difference[]
}

export interface HelperData {
  /** What stands before each path. */
  readonly prefix: string
  readonly maxFileBytes: bigint
  /** By batch: 0 is free, 1 is taken. */
  readonly claims: Int32Array
}

export const compare = (
  prefix: string,
  maxFileBytes: bigint,
  { paths, stamps }: Batch,
): readonly Difference[] => {
  const differences: Difference[] = []
  for (let position = 0; position < paths.length; position++) {
    const status = fileStatus(prefix + paths[position], maxFileBytes)
    if (status !== stamps[position]) differences.push([position, status])
  }
  return differences
}
