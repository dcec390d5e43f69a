/** Where Quarry keeps its things: indexes and notes (data), models (cache), settings (config). Nothing is written elsewhere. */

import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, isAbsolute, join, resolve } from 'node:path'

export interface Directories {
  readonly data: string
  readonly cache: string
  readonly config: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** `QUARRY_HOME` moves everything; else the XDG variables count on every system; else what the system is used to. */
export const quarryDirectories = (
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): Directories => {
  const { QUARRY_HOME: own } = environment
  if (own) {
    const home = resolve(own)
    return { data: join(home, 'data'), cache: join(home, 'cache'), config: join(home, 'config') }
  }
  const usual = usualDirectories(environment, platform)
  const place = (variable: string, fallback: string): string => {
    const chosen = environment[variable]
    // The XDG specification: a relative path is invalid and must be ignored.
    return chosen && isAbsolute(chosen) ? join(chosen, 'quarry') : fallback
  }
  return {
    data: place('XDG_DATA_HOME', usual.data),
    cache: place('XDG_CACHE_HOME', usual.cache),
    config: place('XDG_CONFIG_HOME', usual.config),
  }
}

/** The index of one root. The name is for people who look, the hash keeps apart what has the same name. */
export const indexDirectory = (dataDirectory: string, root: string): string =>
  join(dataDirectory, 'indexes', folderOf(root))

/** The notes of one root: beside the indexes, so that nothing that throws an index away comes near them. */
export const notesDirectory = (dataDirectory: string, root: string): string =>
  join(dataDirectory, 'notes', folderOf(root))

const folderOf = (root: string): string => {
  const real = realPath(root)
  const name = basename(real)
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[._-]+/, '')
    .slice(0, 40)
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 12)
  return `${name || 'root'}-${hash}`
}

const usualDirectories = (environment: Environment, platform: NodeJS.Platform): Directories => {
  const home = environment.HOME || homedir()
  if (platform === 'darwin') {
    const library = join(home, 'Library')
    const support = join(library, 'Application Support', 'quarry')
    return { data: support, cache: join(library, 'Caches', 'quarry'), config: join(support, 'config') }
  }
  if (platform === 'win32') {
    const local = join(environment.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'quarry')
    const roaming = join(environment.APPDATA || join(home, 'AppData', 'Roaming'), 'quarry')
    return { data: join(local, 'data'), cache: join(local, 'cache'), config: roaming }
  }
  return {
    data: join(home, '.local', 'share', 'quarry'),
    cache: join(home, '.cache', 'quarry'),
    config: join(home, '.config', 'quarry'),
  }
}

const realPath = (path: string): string => {
  try {
    return realpathSync.native(path)
  } catch {
    return resolve(path)
  }
}
