/** Tells whether files on disk are the pinned ones. Hashing 23 MB at every start would cost more than the search, so a file
 * that was hashed once is trusted while its size, times and inode stay the same; `verify` hashes it again. */

import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Pin } from './write-verified.js'

export type FileState = 'ready' | 'missing' | 'damaged'

/** What is known of files that were hashed: path → status and hash. A lost receipt costs one more hashing, nothing else. */
export interface Receipts {
  check(path: string, pin: Partial<Pin>, rehash: boolean): Promise<FileState>
  save(): Promise<void>
}

export async function openReceipts(receiptFile: string): Promise<Receipts> {
  const known = await readReceipts(receiptFile)
  let changed = false

  const check = async (path: string, pin: Partial<Pin>, rehash: boolean): Promise<FileState> => {
    const status = await stat(path, { bigint: true }).catch(() => null)
    if (!status) return 'missing'
    if (!status.isFile()) return 'damaged'
    if (pin.bytes !== undefined && status.size !== BigInt(pin.bytes)) return 'damaged'
    const receipt = `${status.size} ${status.mtimeNs} ${status.ctimeNs} ${status.ino} ${pin.sha256}`
    if (!rehash && known.get(path) === receipt) return 'ready'
    if ((await hashFile(path)) !== pin.sha256) return 'damaged'
    changed ||= known.get(path) !== receipt
    known.set(path, receipt)
    return 'ready'
  }

  const save = async (): Promise<void> => {
    if (!changed) return
    const temporary = `${receiptFile}.${process.pid}.${randomBytes(6).toString('hex')}.partial`
    try {
      await mkdir(dirname(receiptFile), { recursive: true, mode: 0o700 })
      await writeFile(temporary, JSON.stringify(Object.fromEntries(known)), { mode: 0o600 })
      await rename(temporary, receiptFile)
    } catch {
      // A cache that cannot be written to still serves: its files are hashed each time.
      await rm(temporary, { force: true }).catch(() => {})
    }
  }
  return { check, save }
}

async function readReceipts(receiptFile: string): Promise<Map<string, string>> {
  try {
    const content: unknown = JSON.parse(await readFile(receiptFile, 'utf8'))
    const entries = Object.entries(content as Record<string, unknown>)
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return new Map()
  }
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer)
  return hash.digest('hex')
}
