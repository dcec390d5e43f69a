/** Finds the git directory of a public repository: a local mirror, or a clone made once below the scratch directory. */

import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { git } from './git.js'
import type { Places } from './places.js'

export interface RemoteRepository {
  /** `owner/name` as the mirrors spell it. */
  readonly slug: string
  readonly url: string
}

/** `https://github.com/owner/name.git` → `owner/name`. */
export const slugOf = (url: string): string => {
  const parts = url
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/)
  return parts.slice(-2).join('/')
}

export const findRepository = async (
  repository: RemoteRepository,
  places: Places,
  scratch: string,
): Promise<string> => {
  const folder = repository.slug.replace('/', '+')
  if (places.mirrors !== undefined) {
    const mirror = join(places.mirrors, folder, 'repo')
    const found = [mirror, join(mirror, '.git')].find(isGitDirectory)
    if (found) return found
    throw new Error(
      `QUARRY_BENCH_MIRRORS has no ${folder}/repo: put a bare clone of ${repository.url} there, or unset it`,
    )
  }
  const clone = join(scratch, 'clones', folder)
  if (!isGitDirectory(clone)) {
    const part = `${clone}.part`
    await rm(part, { recursive: true, force: true })
    await mkdir(join(scratch, 'clones'), { recursive: true })
    await git(['clone', '--quiet', '--bare', repository.url, part])
    await rename(part, clone)
  }
  return clone
}

const isGitDirectory = (path: string): boolean =>
  existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects'))
