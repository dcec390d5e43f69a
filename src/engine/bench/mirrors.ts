/** Finds the clone of a repository that a code set names. Nothing is cloned here: measuring needs no network. */

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { QuarryError } from '../../core/errors.js'

/** As clones are named in practice: `owner+name/repo`, `owner/name`, `name`, each with or without `.git`. */
export const findMirror = (url: string, mirrors: string | undefined): string => {
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
