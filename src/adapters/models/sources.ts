/** Where model files can be downloaded from. Each source writes the files it can, verified, takes them off
 * the list of wanted files, and throws when it cannot go on. */

import { posix } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { QuarryError } from '../../core/errors.js'
import type { CatalogueTarball } from './catalogue.js'
import { type DownloadRequest, download, type Fetch } from './download.js'
import type { Registry } from './registry.js'
import { tarEntries } from './tar.js'
import { type Pin, writeVerified } from './write-verified.js'

/** A file that is still to be had. */
export interface WantedFile {
  readonly path: string
  readonly target: string
  readonly pin: Pin
}

export interface Transfer {
  readonly fetch: Fetch
  readonly connectMilliseconds: number
  readonly stallMilliseconds: number
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes that came in since the last call. */
  readonly onBytes: (count: number) => void
}

export async function pullFromHub(
  host: string,
  repository: string,
  wanted: Set<WantedFile>,
  transfer: Transfer,
): Promise<void> {
  for (const file of wanted) {
    const url = new URL(`${repository}/resolve/main/${file.path}`, host.endsWith('/') ? host : `${host}/`)
      .href
    const bytes = download({ ...limits(transfer), url, maxBytes: file.pin.bytes })
    await writeVerified(bytes, file.target, file.pin, transfer.onBytes)
    wanted.delete(file)
  }
}

export async function pullFromTarball(
  registry: Registry,
  tarball: CatalogueTarball,
  wanted: Set<WantedFile>,
  transfer: Transfer,
): Promise<void> {
  const name = tarball.package
  const url = new URL(`${name}/-/${posix.basename(name)}-${tarball.version}.tgz`, registry.url).href
  // The rest of the tarball is of no use once the files are there: the connection is closed.
  const done = new AbortController()
  const signal = transfer.signal ? AbortSignal.any([transfer.signal, done.signal]) : done.signal
  const request: DownloadRequest = { ...limits(transfer), url, signal, maxBytes: tarball.bytes }
  const packed = download(registry.token ? { ...request, token: registry.token } : request)

  const byPath = new Map([...wanted].map(file => [posix.join(tarball.folder, file.path), file]))
  try {
    for await (const entry of tarEntries(unpack(counted(packed, transfer.onBytes), tarball.unpackedBytes))) {
      const file = byPath.get(entry.path)
      if (!file) continue
      await writeVerified(entry.body, file.target, file.pin)
      wanted.delete(file)
      if (wanted.size === 0) return
    }
  } finally {
    done.abort()
  }
  throw new QuarryError('MODEL_DAMAGED', `${name} ${tarball.version} does not hold the model`)
}

const limits = (transfer: Transfer) => ({
  fetch: transfer.fetch,
  connectMilliseconds: transfer.connectMilliseconds,
  stallMilliseconds: transfer.stallMilliseconds,
  signal: transfer.signal,
})

async function* counted(bytes: AsyncIterable<Buffer>, onBytes: (count: number) => void) {
  for await (const piece of bytes) {
    onBytes(piece.length)
    yield piece
  }
}

/** A few kilobytes can unpack to gigabytes, so what comes out is counted too. */
async function* unpack(packed: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  // A failing download ends the loop below with its own error.
  pipeline(Readable.from(packed), gunzip, () => {})
  let unpacked = 0
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      unpacked += piece.length
      if (unpacked > maxBytes) throw new QuarryError('MODEL_DAMAGED', 'The package holds more than it should')
      yield piece
    }
  } catch (error) {
    if (error instanceof QuarryError) throw error
    throw new QuarryError('MODEL_DAMAGED', 'The package cannot be unpacked: it is not a gzip file', {
      cause: error,
    })
  }
}
