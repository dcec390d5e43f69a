/** Reads a tar archive as it streams by: how the store takes two files out of a tarball without keeping the rest. */

import { QuarryError } from '../../core/errors.js'

export interface TarEntry {
  readonly path: string
  readonly size: number
  /** Must be used before the next entry is asked for; what is not read is skipped. */
  readonly body: AsyncIterable<Buffer>
}

const BLOCK = 512
/** Long names are stored as entries of their own; a name longer than this is an attack, not a path. */
const LONGEST_NAME = 64 * 1024

export async function* tarEntries(archive: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = byteReader(archive)
  let longPath: string | undefined
  for (;;) {
    const header = await bytes.exactly(BLOCK)
    if (header.every(byte => byte === 0)) return
    checkHeader(header)
    const size = readNumber(header.subarray(124, 136))
    const padding = (BLOCK - (size % BLOCK)) % BLOCK
    const type = String.fromCharCode(header[156] ?? 0)

    if (type === 'L' || type === 'x') {
      if (size > LONGEST_NAME) throw damaged('a name in it is too long')
      const content = (await bytes.exactly(size)).toString('utf8')
      await bytes.skip(padding)
      longPath = type === 'L' ? content.replace(/\0.*$/s, '') : (paxPath(content) ?? longPath)
      continue
    }

    let left = size
    const body = async function* () {
      while (left > 0) {
        const piece = await bytes.upTo(left)
        left -= piece.length
        yield piece
      }
    }
    const path = longPath ?? shortPath(header)
    longPath = undefined
    // Only plain files are handed out: a link or a device in the archive can do nothing.
    if (type === '0' || type === '\0') yield { path, size, body: body() }
    await bytes.skip(left + padding)
  }
}

function byteReader(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  const upTo = async (count: number): Promise<Buffer> => {
    while (held.length === 0) {
      const next = await iterator.next()
      if (next.done) throw damaged('it ends too early')
      held = next.value
    }
    const piece = held.subarray(0, count)
    held = held.subarray(piece.length)
    return piece
  }
  const exactly = async (count: number): Promise<Buffer> => {
    const pieces: Buffer[] = []
    for (let left = count; left > 0; ) {
      const piece = await upTo(left)
      pieces.push(piece)
      left -= piece.length
    }
    return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
  }
  const skip = async (count: number): Promise<void> => {
    for (let left = count; left > 0; ) left -= (await upTo(left)).length
  }
  return { upTo, exactly, skip }
}

function checkHeader(header: Buffer): void {
  let sum = 0
  for (const [position, byte] of header.entries()) sum += position >= 148 && position < 156 ? 32 : byte
  if (sum !== readNumber(header.subarray(148, 156))) throw damaged('a header has a wrong checksum')
}

/** Octal text, or base 256 where the highest bit of the first byte is set. */
function readNumber(field: Buffer): number {
  let value = 0
  if ((field[0] ?? 0) & 0x80) {
    value = (field[0] ?? 0) & 0x7f
    for (const byte of field.subarray(1)) value = value * 256 + byte
  } else {
    value = Number.parseInt(field.toString('latin1').replace(/\0.*$/s, '').trim() || '0', 8)
  }
  if (!Number.isSafeInteger(value) || value < 0) throw damaged('a header holds no valid number')
  return value
}

function shortPath(header: Buffer): string {
  const text = (from: number, to: number) => header.subarray(from, to).toString('utf8').replace(/\0.*$/s, '')
  const prefix = text(257, 262) === 'ustar' ? text(345, 500) : ''
  return prefix ? `${prefix}/${text(0, 100)}` : text(0, 100)
}

function paxPath(records: string): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(records)?.[1]
}

const damaged = (why: string) => new QuarryError('MODEL_DAMAGED', `The package cannot be unpacked: ${why}`)
