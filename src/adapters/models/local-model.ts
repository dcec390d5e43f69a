/** A model at a path of the user: found in the usual layouts, accepted with the pinned hash or with one the user sets. */

import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import type { ModelPath } from '../../core/settings.js'
import type { CatalogueEntry, CatalogueFile } from './catalogue.js'
import { hashFile } from './check-files.js'
import type { Pin } from './write-verified.js'

/** A model with the hashes of its files, as a user writes it into the settings. */
export interface PinnedModel {
  readonly name: string
  /** Absolute. */
  readonly path: string
  readonly sha256: { readonly model: string; readonly tokenizer: string }
}

export async function pinModel(entry: CatalogueEntry, directory: string): Promise<PinnedModel> {
  const path = resolve(directory)
  const hash = async (role: CatalogueFile['role']): Promise<string> => {
    const file = entry.files.find(candidate => candidate.role === role)
    if (!file) throw new QuarryError('INTERNAL', `${entry.name} is incomplete in the catalogue`)
    const place = await findFile(path, file)
    const found = await hashFile(place).catch(() => null)
    if (found) return found
    throw new QuarryError('BAD_PATH', `${entry.name}: ${place} is not there or cannot be read`, {
      hint: `a directory with ${entry.files.map(({ path: wanted }) => wanted).join(' and ')}`,
    })
  }
  return {
    name: entry.name,
    path,
    sha256: { model: await hash('model'), tokenizer: await hash('tokenizer') },
  }
}

/** A file of a model with the place it should be at. */
export interface PlacedFile {
  readonly role: CatalogueFile['role']
  readonly path: string
  readonly place: string
  readonly pin?: Partial<Pin>
}

export async function localFiles(entry: CatalogueEntry, local: ModelPath): Promise<readonly PlacedFile[]> {
  const files: PlacedFile[] = []
  for (const file of entry.files) {
    const place = await findFile(resolve(local.path), file)
    const own = local.sha256?.[file.role]?.toLowerCase()
    const pin = own ? { sha256: own } : file.pin
    if (!pin) throw await unpinned(entry, local.path, place)
    files.push({ role: file.role, path: file.path, place, pin })
  }
  return files
}

async function findFile(directory: string, file: CatalogueFile): Promise<string> {
  const names = [file.path, basename(file.path)]
  if (file.role === 'model') names.push('onnx/model.onnx', 'model.onnx')
  for (const name of names) {
    const place = join(directory, name)
    if (await stat(place).catch(() => null)) return place
  }
  return join(directory, file.path)
}

/** For a shell. */
const quoted = (path: string): string =>
  /^[\w./:\\~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`

/** Says the hash, so that a user who has another source for it can compare. */
async function unpinned(entry: CatalogueEntry, path: string, place: string): Promise<QuarryError> {
  const hash = await hashFile(place).catch(() => null)
  if (!hash)
    return new QuarryError('MODEL_MISSING', `${entry.name}: ${place} is not there`, {
      hint: 'quarry models list',
    })
  return new QuarryError('BAD_CONFIG', `${entry.name}: no hash is known for ${place}`, {
    hint: `if you trust this file (${hash}): quarry models pin ${entry.name} ${quoted(path)}`,
  })
}
