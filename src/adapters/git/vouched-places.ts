/**
 * What the user once vouched for with `--trust`: the places that a repository of someone else consists of, each with its owner. It
 * lies among our own files, so that no repository can vouch for itself, and a place that changes hands counts no longer.
 */

import { lstatSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readSmallFile } from './read-small-file.js'

/** The owner of each place, by its real path. */
export type VouchedPlaces = ReadonlyMap<string, number>

const NONE: VouchedPlaces = new Map()

/** Nothing where the file is another user's, can be read by others, or is no list of ours. */
export const readVouched = (file: string): VouchedPlaces => {
  const status = lstatSync(file, { throwIfNoEntry: false })
  if (!status?.isFile() || !isOurs(status)) return NONE
  try {
    const entries = Object.entries(JSON.parse(readSmallFile(file) ?? '{}'))
    return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
  } catch {
    return NONE
  }
}

/** In the place of what was vouched for before. */
export const rememberVouched = (file: string, places: readonly string[]): void => {
  const owners = Object.fromEntries(places.map(place => [place, statSync(place).uid]))
  const content = `${JSON.stringify(owners)}\n`
  if (readSmallFile(file) === content) return
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const part = `${file}.${process.pid}.part`
  writeFileSync(part, content, { mode: 0o600 })
  renameSync(part, file)
}

export const forgetVouched = (file: string): void => rmSync(file, { force: true })

export const isVouchedFor = (place: string, vouched: VouchedPlaces | undefined): boolean => {
  const owner = vouched?.get(place)
  return owner !== undefined && statSync(place, { throwIfNoEntry: false })?.uid === owner
}

const isOurs = ({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0)
