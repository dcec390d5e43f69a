/** A model at a path of the user: found in the usual layouts, accepted with the pinned hash or with one the user sets. */

import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import type { CatalogueEntry, CatalogueFile } from './catalogue.js'
import { hashFile } from './check-files.js'
import type { Pin } from './write-verified.js'

export interface LocalModel {
  /** Directory that holds `tokenizer.json` and the ONNX file, there or in `onnx/`. */
  readonly path: string
  /** SHA-256 of files that differ from the catalogue's, or of which it has none. */
  readonly sha256?: { readonly model?: string; readonly tokenizer?: string }
}

/** A file of a model with the place it should be at. */
export interface PlacedFile {
  readonly role: CatalogueFile['role']
  readonly path: string
  readonly place: string
  readonly pin?: Partial<Pin>
}

export async function localFiles(entry: CatalogueEntry, local: LocalModel): Promise<readonly PlacedFile[]> {
  const files: PlacedFile[] = []
  for (const file of entry.files) {
    const place = await findFile(resolve(local.path), file)
    const own = local.sha256?.[file.role]?.toLowerCase()
    const pin = own ? { sha256: own } : file.pin
    if (!pin) throw await unpinned(entry, file, place)
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

/** Says the hash, so that a user who trusts the file can pin it without another tool. */
async function unpinned(entry: CatalogueEntry, file: CatalogueFile, place: string): Promise<QuarryError> {
  const hash = await hashFile(place).catch(() => null)
  if (!hash)
    return new QuarryError('MODEL_MISSING', `${entry.name}: ${place} is not there`, {
      hint: 'quarry models list',
    })
  return new QuarryError('BAD_CONFIG', `${entry.name}: no hash is known for ${place}`, {
    hint: `if you trust this file, set its ${file.role} hash to ${hash} in your settings`,
  })
}
