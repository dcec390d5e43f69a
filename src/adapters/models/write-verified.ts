/** Writes a stream to a file that appears only when it is whole and its SHA-256 is the pinned one. */

import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { QuarryError } from '../../core/errors.js'

const PARTIAL = /\.(\d+)\.[0-9a-f]{12}\.partial$/
/** A process id may have been given to another program meanwhile; after a day nobody is still downloading. */
const PARTIAL_LIFETIME = 24 * 3600 * 1000

export interface Pin {
  readonly bytes: number
  readonly sha256: string
}

/** Any number of processes may write the same target: each has a file of its own, and the last rename wins. */
export async function writeVerified(
  stream: AsyncIterable<Buffer>,
  target: string,
  pin: Pin,
  onBytes: (count: number) => void = () => {},
): Promise<void> {
  const temporary = `${target}.${process.pid}.${randomBytes(6).toString('hex')}.partial`
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    const file = await open(temporary, 'wx', 0o600)
    try {
      const hash = createHash('sha256')
      let written = 0
      for await (const piece of stream) {
        written += piece.length
        if (written > pin.bytes) throw damaged(target, `more than the ${pin.bytes} bytes it should have`)
        hash.update(piece)
        await file.writeFile(piece)
        onBytes(piece.length)
      }
      if (written < pin.bytes) throw damaged(target, `${written} bytes instead of ${pin.bytes}`)
      if (hash.digest('hex') !== pin.sha256) throw damaged(target, 'another SHA-256 than the pinned one')
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw await diskFailure(error, dirname(target), pin.bytes)
  }
}

/** Removes what killed downloads left behind. Files of processes that still run are left alone. */
export async function sweepPartials(directory: string): Promise<void> {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  for (const name of names) {
    const pid = PARTIAL.exec(name)?.[1]
    if (!pid) continue
    const path = join(directory, name)
    const written = await stat(path).then(
      status => status.mtimeMs,
      () => 0,
    )
    if (!isRunning(Number(pid)) || Date.now() - written > PARTIAL_LIFETIME)
      await rm(path, { force: true }).catch(() => {})
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function diskFailure(error: unknown, directory: string, neededBytes: number): Promise<unknown> {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG')
    return new QuarryError(
      'DISK_FULL',
      `There is no room for the model in ${directory}: ${await room(directory, neededBytes)} (${code})`,
      {
        hint: 'make room, or set QUARRY_HOME to a directory on another disk',
        cause: error,
      },
    )
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM' || code === 'ENOTDIR')
    return new QuarryError('BAD_PATH', `The model cannot be written to ${directory} (${code})`, {
      hint: 'set QUARRY_HOME to a directory you may write to',
      cause: error,
    })
  return error
}

async function room(directory: string, neededBytes: number): Promise<string> {
  const free = await statfs(directory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return `${megabytes(neededBytes)} MB needed, ${megabytes(free)} MB free`
}

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1)

const damaged = (target: string, what: string) =>
  new QuarryError('MODEL_DAMAGED', `${basename(target)}: ${what}`, { hint: 'quarry models verify' })
