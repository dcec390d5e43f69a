/** `quarry similar`: code like the code at a place. */

import { realpathSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import type { Place, SearchRequest } from '../../index.js'
import { fillInSaying } from '../background.js'
import type { SearchFlags } from '../flags.js'
import { withQuarry } from '../open.js'
import { plainPlace } from '../plain-place.js'
import type { Surroundings } from '../program.js'
import { askWith, handOver, requestOf } from './answer.js'

interface Flags extends SearchFlags {
  readonly id?: string
}

export const runSimilar = async (
  text: string | undefined,
  flags: Flags,
  surroundings: Surroundings,
): Promise<number> => {
  if ((text === undefined) === (flags.id === undefined)) {
    const message = text === undefined ? 'The place is missing' : 'A place and --id were both given'
    throw new QuarryError('BAD_INPUT', message, {
      hint: 'quarry similar FILE:LINE, or quarry similar --id ID',
    })
  }
  const place = text === undefined ? { path: '', line: 0 } : parsePlace(text)
  const request = requestOf(flags)
  return withQuarry(flags, async quarry => {
    const sought: Place =
      flags.id === undefined ? { ...place, path: belowRoot(place.path, quarry.root) } : { id: flags.id }
    const ask = (full: SearchRequest) => quarry.similar(sought, full)
    const { answer, hasIndexed } = await askWith(request, flags, surroundings, ask)
    const code = await handOver(answer, quarry, flags, surroundings.terminal)
    if (hasIndexed && !surroundings.signal.aborted) await fillInSaying(quarry, surroundings.terminal)
    return code
  })
}

const parsePlace = (text: string): { path: string; line: number } => {
  const [, path, digits] = /^(.+):(\d{1,9})$/s.exec(plainPlace(text)) ?? []
  if (path !== undefined && Number(digits) > 0) return { path, line: Number(digits) }
  throw new QuarryError('BAD_INPUT', `${text} is not a place`, {
    hint: 'quarry similar src/http/retry.ts:42',
  })
}

/** Paths are taken as hits show them, below the root; absolute ones are brought there. */
const belowRoot = (path: string, root: string): string => {
  const below = isAbsolute(path) ? relative(root, real(path)) : path.replace(/^\.\//, '')
  if (below.split(/[\\/]/).includes('..') || isAbsolute(below) || below.includes('\0')) {
    throw new QuarryError('BAD_PATH', `${path} is outside ${root}`, {
      hint: 'quarry similar --repo DIR FILE:LINE',
    })
  }
  return sep === '/' ? below : below.replaceAll(sep, '/')
}

/** The root is a real path; one that leads there through a link means the same file. */
const real = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
