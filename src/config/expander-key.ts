/** The key of the service that rewrites questions: from the environment, or from a file that only its owner can read. */

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Warning } from '../core/answers.js'
import type { Environment } from './directories.js'

export const KEY_FILE = 'expander.key'

export interface ExpanderKey {
  readonly key: string | null
  /** In words, for `doctor`; never the key. */
  readonly origin: string | null
  readonly warnings: readonly Warning[]
}

/** `makersOwn` is the variable of the maker. It counts for the maker's own address alone: a key is not sent to anyone else. */
export const findExpanderKey = (
  environment: Environment,
  configDirectory: string,
  makersOwn: string | null,
): ExpanderKey => {
  const own = environment.QUARRY_EXPANDER_KEY?.trim()
  if (own) return { key: checked(own), origin: 'QUARRY_EXPANDER_KEY', warnings: [] }
  const file = readKeyFile(join(configDirectory, KEY_FILE))
  if (file.key !== null) return file
  const usual = makersOwn === null ? undefined : environment[makersOwn]?.trim()
  if (usual) return { key: checked(usual), origin: makersOwn, warnings: file.warnings }
  return file
}

const none: ExpanderKey = { key: null, origin: null, warnings: [] }

/** As ssh does it: a key that others can read is not used, for it may be known already. */
const readKeyFile = (path: string): ExpanderKey => {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? none : refused(path, `cannot be read (${code})`)
  }
  try {
    const status = fstatSync(descriptor)
    if (!status.isFile() || status.size > 4_096) return refused(path, 'is no small file')
    if (process.platform !== 'win32' && (status.mode & 0o077) !== 0)
      return refused(path, 'can be read by others: its key is not used')
    const key = checked(readFileSync(descriptor, 'utf8').trim())
    return key === null
      ? refused(path, 'does not hold one line with a key')
      : { key, origin: path, warnings: [] }
  } finally {
    closeSync(descriptor)
  }
}

const refused = (path: string, why: string): ExpanderKey => ({
  ...none,
  warnings: [{ code: 'KEY_FILE', message: `${path} ${why}`, hint: `chmod 600 ${path}` }],
})

/** What cannot stand in a header is no key. */
const checked = (text: string): string | null => (/^[\x21-\x7e]{1,1000}$/.test(text) ? text : null)
