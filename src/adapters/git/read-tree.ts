/** The files of a commit, for whoever needs the tree on disk: by ids and a few processes, never by a checkout. */

import { QuarryError } from '../../core/errors.js'
import type { Repository } from './shadow.js'

export interface TreeEntry {
  /** From the top of the repository. */
  readonly path: string
  /** Same id, same content. */
  readonly id: string
  readonly size: number
}

export interface TreeFile extends TreeEntry {
  readonly content: Buffer
}

/** So much is asked of git at once. */
const BATCH_BYTES = 32 << 20

/** Files of a commit by its id, below a directory; '' is everything. Their content stays where it is. */
export const listTree = async (
  repository: Repository,
  commit: string,
  below: string,
  signal?: AbortSignal,
): Promise<readonly TreeEntry[]> => {
  const arguments_ = ['ls-tree', '-r', '-z', '-l', '--full-tree', commit]
  const listed = await repository.run(arguments_, signal ? { signal } : {})
  const prefix = below === '' ? '' : `${below.replace(/\/+$/, '')}/`
  return listed
    .toString('utf8')
    .split('\0')
    .flatMap(line => {
      // Links and submodules are left out: no index follows them, and a link may lead out of the directory.
      const [, id, size, path] = /^100\d{3} blob ([0-9a-f]+) +(\d+|BAD)\t([\s\S]+)$/.exec(line) ?? []
      if (id === undefined || !path!.startsWith(prefix) || !isSafe(path!)) return []
      // What is said in the place of the size where the object is missing.
      if (size === 'BAD') throw lacking(path!, id)
      return [{ id, size: Number(size), path: path! }]
    })
}

/** The same with their content, in order. */
export async function* readEntries(
  repository: Repository,
  entries: readonly TreeEntry[],
  signal?: AbortSignal,
): AsyncGenerator<TreeFile> {
  for (let from = 0; from < entries.length; ) {
    let [to, bytes] = [from, 0]
    while (to < entries.length && (to === from || bytes + entries[to]!.size <= BATCH_BYTES))
      bytes += entries[to++]!.size
    const batch = entries.slice(from, to)
    const output = await repository.run(['cat-file', '--batch'], {
      input: batch.map(({ id }) => `${id}\n`).join(''),
      maxBytes: bytes + batch.length * 100,
      ...(signal && { signal }),
    })
    let at = 0
    for (const entry of batch) {
      const { id, size, path } = entry
      const heading = output.indexOf(10, at)
      if (output.toString('latin1', at, heading) !== `${id} blob ${size}`) throw lacking(path, id)
      yield { ...entry, content: output.subarray(heading + 1, heading + 1 + size) }
      at = heading + size + 2
    }
    from = to
  }
}

const lacking = (path: string, id: string): QuarryError =>
  new QuarryError('GIT_FAILED', `The repository lacks ${path}, object ${id}`, {
    hint: 'a whole clone has every object: git clone --mirror',
  })

/** A tree made by hand can hold names that lead elsewhere. */
const isSafe = (path: string): boolean =>
  !path.split('/').some(part => part === '' || part === '.' || part === '..' || /^\.git$|[\\:]/i.test(part))
