/** Every file of a commit, for whoever needs the tree on disk: by ids and a few processes, never by a checkout. */

import { QuarryError } from '../../core/errors.js'
import { resolveRevision } from './revision.js'
import type { Repository } from './shadow.js'

export interface TreeFile {
  /** From the top of the repository. */
  readonly path: string
  readonly content: Buffer
}

export interface ReadTreeOptions {
  /** Only below this directory; '' is everything. */
  readonly below: string
  /** Larger files are left out. */
  readonly maxBytes: number
  readonly signal?: AbortSignal
}

/** So much is asked of git at once. */
const BATCH_BYTES = 32 << 20

export async function* readTree(
  repository: Repository,
  revision: string,
  { below, maxBytes, signal }: ReadTreeOptions,
): AsyncGenerator<TreeFile> {
  const abort = signal ? { signal } : {}
  const commit = await resolveRevision(repository, revision)
  const listed = await repository.run(['ls-tree', '-r', '-z', '-l', '--full-tree', commit], abort)
  const prefix = below === '' ? '' : `${below.replace(/\/+$/, '')}/`
  const entries = listed
    .toString('utf8')
    .split('\0')
    .flatMap(line => {
      // Links and submodules are left out: no index follows them, and a link may lead out of the directory.
      const [, id, size, path] = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t([\s\S]+)$/.exec(line) ?? []
      return id !== undefined && path!.startsWith(prefix) && isSafe(path!) && Number(size) <= maxBytes
        ? [{ id, size: Number(size), path: path! }]
        : []
    })
  for (let from = 0; from < entries.length; ) {
    let [to, bytes] = [from, 0]
    while (to < entries.length && (to === from || bytes + entries[to]!.size <= BATCH_BYTES))
      bytes += entries[to++]!.size
    const batch = entries.slice(from, to)
    const output = await repository.run(['cat-file', '--batch'], {
      input: batch.map(({ id }) => `${id}\n`).join(''),
      maxBytes: bytes + batch.length * 100,
      ...abort,
    })
    let at = 0
    for (const { id, size, path } of batch) {
      const heading = output.indexOf(10, at)
      if (output.toString('latin1', at, heading) !== `${id} blob ${size}`)
        throw new QuarryError('GIT_FAILED', `The repository lacks ${path} of ${commit}`, {
          hint: 'a whole clone has every object: git clone --mirror',
        })
      yield { path, content: output.subarray(heading + 1, heading + 1 + size) }
      at = heading + size + 2
    }
    from = to
  }
}

/** A tree made by hand can hold names that lead elsewhere. */
const isSafe = (path: string): boolean =>
  !path.split('/').some(part => part === '' || part === '.' || part === '..' || /^\.git$|[\\:]/i.test(part))
