/** Finds and opens the clone of a repository that a set names. Nothing is cloned here: measuring needs no network. */

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Repository } from '../../adapters/git/shadow.js'
import { QuarryError } from '../../core/errors.js'

export interface OpenMirror {
  readonly repository: Repository
  /** The whole id of the revision. */
  readonly commit: string
}

/** `NOT_A_REPOSITORY` where the clone, or the revision in it, is not there. */
export const openMirror = async (
  { url, revision }: { readonly url: string; readonly revision: string },
  parts: { readonly directory: string; readonly mirrors: string | undefined; readonly trust: boolean },
): Promise<OpenMirror> => {
  const mirror = findMirror(url, parts.mirrors)
  const { openRepository } = await import('../../adapters/git/shadow.js')
  const { resolveRevision } = await import('../../adapters/git/revision.js')
  const shadowDirectory = join(parts.directory, 'git', revision.replace(/[^\w.-]+/g, '_'))
  await mkdir(dirname(shadowDirectory), { recursive: true })
  const repository = await openRepository(mirror, { shadowDirectory, trust: parts.trust })
  const commit = await resolveRevision(repository, revision).catch((cause: unknown) => {
    throw new QuarryError('NOT_A_REPOSITORY', `the clone of ${url} does not hold ${revision}`, {
      hint: `git -C ${mirror} fetch origin ${revision}`,
      cause,
    })
  })
  return { repository, commit }
}

/** As clones are named in practice: `owner+name/repo`, `owner/name`, `name`, each with or without `.git`. */
const findMirror = (url: string, mirrors: string | undefined): string => {
  if (isAbsolute(url) && isRepository(url)) return url
  const [owner = '', name = ''] = url
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .slice(-2)
  if (mirrors === undefined)
    throw new QuarryError(
      'NOT_A_REPOSITORY',
      'it takes clones of the repositories, and --mirrors was not given',
      {
        hint: `git clone --mirror ${url} MIRRORS/${name}.git, and so on; then --mirrors MIRRORS`,
      },
    )
  const found = [`${owner}+${name}/repo`, `${owner}+${name}`, `${owner}/${name}`, name]
    .flatMap(folder => [folder, `${folder}.git`])
    .map(folder => resolve(mirrors, folder))
    .find(isRepository)
  if (found !== undefined) return found
  throw new QuarryError('NOT_A_REPOSITORY', `--mirrors has no clone of ${owner}/${name}`, {
    hint: `git clone --mirror ${url} ${join(mirrors, `${name}.git`)}`,
  })
}

const isRepository = (path: string): boolean =>
  existsSync(join(path, '.git')) || (existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects')))
