/** Decides whether a result is a target: the first step of every score. */

import type { Place, Target } from '../sets/shape.js'

type Matches = (result: Place, target: Target) => boolean

/** The same path, and a common line when the target has lines. */
export const samePath: Matches = (result, target) => result.path === target.path && overlaps(result, target)

/** The target is the end of the path (by whole parts) once the indexed directory's own path is put in front. */
export const endsWithTarget =
  (indexedDirectory: string): Matches =>
  (result, target) =>
    `/${indexedDirectory}/${result.path}`.endsWith(`/${target.path}`) && overlaps(result, target)

const overlaps = (result: Place, target: Target): boolean =>
  (target.startLine === undefined || result.endLine >= target.startLine) &&
  (target.endLine === undefined || result.startLine <= target.endLine)

/** Rank of each target, from 1: the first result that is it. A target that was not found has rank Infinity. */
export const ranksOf = (
  targets: readonly Target[],
  results: readonly Place[],
  matches: Matches,
): readonly number[] =>
  targets.map(target => {
    const index = results.findIndex(result => matches(result, target))
    return index < 0 ? Number.POSITIVE_INFINITY : index + 1
  })

/** The best result of each file, in order: ranks of files instead of ranks of chunks. */
export const distinctFiles = <T extends { readonly path: string }>(results: readonly T[]): T[] => {
  const seen = new Set<string>()
  return results.filter(({ path }) => !seen.has(path) && seen.add(path))
}
