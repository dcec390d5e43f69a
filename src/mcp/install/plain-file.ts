/** Reads and writes one text file of somebody else: never through a link, whole or not at all, and shows what changes. */

import { randomBytes } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { QuarryError } from '../../core/errors.js'

const LARGEST_FILE = 8 << 20

/** A clone may bring links that lead elsewhere: nothing is read or written through one. null where there is no file. */
export const readPlainFile = (file: string, base: string, hint: string): string | null => {
  const parts = relative(base, file).split(sep)
  for (const [position] of parts.entries()) {
    const place = join(base, ...parts.slice(0, position + 1))
    const status = lstatSync(place, { throwIfNoEntry: false })
    if (status === undefined) return null
    const isLast = position === parts.length - 1
    if (isLast ? !status.isFile() : !status.isDirectory())
      throw new QuarryError('BAD_PATH', `${place} is not a ${isLast ? 'file' : 'directory'}, or is a link`, {
        hint,
      })
    if (isLast && status.size > LARGEST_FILE)
      throw new QuarryError('BAD_CONFIG', `${place} is too large`, { hint })
  }
  return readFileSync(file, 'utf8')
}

/** null deletes it, and the directories between it and `base` that held nothing else. */
export const writeWhole = (file: string, text: string | null, base: string): void => {
  if (text === null) {
    rmSync(file)
    for (let place = dirname(file); place.startsWith(base + sep); place = dirname(place)) {
      if (readdirSync(place).length > 0) return
      rmdirSync(place)
    }
    return
  }
  mkdirSync(dirname(file), { recursive: true })
  const mode = lstatSync(file, { throwIfNoEntry: false })?.mode ?? 0o644
  const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeFileSync(beside, text, { mode: mode & 0o777, flag: 'wx' })
    renameSync(beside, file)
  } finally {
    rmSync(beside, { force: true })
  }
}

/** One change in one place: what is the same above and below it is left out but for a line or two. */
export const differing = (before: string, after: string): readonly string[] => {
  const [a, b] = [linesOf(before), linesOf(after)]
  let top = 0
  while (top < a.length && top < b.length && a[top] === b[top]) top++
  let bottom = 0
  while (bottom < a.length - top && bottom < b.length - top && a.at(-1 - bottom) === b.at(-1 - bottom))
    bottom++
  return [
    ...a.slice(Math.max(0, top - 2), top).map(line => `  ${line}`),
    ...a.slice(top, a.length - bottom).map(line => `- ${line}`),
    ...b.slice(top, b.length - bottom).map(line => `+ ${line}`),
    ...a.slice(a.length - bottom, a.length - bottom + 2).map(line => `  ${line}`),
  ]
}

const linesOf = (text: string): readonly string[] =>
  text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
