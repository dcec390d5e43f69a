/**
 * Where a run keeps its indexes and notes: a home of its own, so that no index and no note of the user's is ever touched. The
 * models and settings of the user are lent to it, for what is measured is what they use.
 */

import { existsSync } from 'node:fs'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { quarryDirectories } from '../../config/directories.js'
import { QuarryError } from '../../core/errors.js'
import type { OpenOptions } from '../api.js'

export interface BenchHome {
  readonly directory: string
  readonly environment: NonNullable<OpenOptions['environment']>
  /** Throws away what need not be kept. */
  close(): Promise<void>
}

/** `name` tells homes of one run apart. With `kept` all are the same, and stay. */
export const openHome = async (
  place: { readonly kept: string | undefined; readonly work: string; readonly name: string },
  environment: NonNullable<OpenOptions['environment']>,
): Promise<BenchHome> => {
  const directory = resolve(place.kept ?? join(place.work, place.name))
  const own = quarryDirectories(environment)
  const lent = quarryDirectories({ QUARRY_HOME: directory })
  if (resolve(lent.data) === resolve(own.data))
    throw new QuarryError('BAD_INPUT', `${directory} is where your own indexes and notes are`, {
      hint: '--home takes a directory of its own',
    })
  await mkdir(lent.cache, { recursive: true })
  // Made if need be: what is downloaded while measuring is of use afterwards.
  await mkdir(join(own.cache, 'models'), { recursive: true })
  await link(join(own.cache, 'models'), join(lent.cache, 'models'))
  if (existsSync(own.config)) await link(own.config, lent.config)
  return {
    directory,
    environment: { ...environment, QUARRY_HOME: directory },
    close: async () => {
      if (place.kept === undefined) await rm(directory, { recursive: true, force: true })
    },
  }
}

/** A junction is what Windows lets everyone make; elsewhere the word means nothing. */
const link = async (target: string, path: string): Promise<void> => {
  await symlink(resolve(target), path, 'junction').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
