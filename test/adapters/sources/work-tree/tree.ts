/** Trees for the tests of the work tree: made in a temporary directory, removed when the test ends. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type WorkTreeOptions, workTree } from '../../../../dist/adapters/sources/work-tree/index.js'
import type { KnownDocument } from '../../../../dist/core/ports.js'
import type { Skipped, SourceDocument } from '../../../../dist/core/types.js'

/** A directory of its own. `rm` and not Node removes it: it can delete trees that are deeper than a path may be long. */
export const temporary = (): string => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'quarry-source-')))
  onTestFinished(() => {
    spawnSync('rm', ['-rf', directory])
  })
  return directory
}

export const plant = (root: string, files: Readonly<Record<string, string | Uint8Array>>): void => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

export const planted = (files: Readonly<Record<string, string | Uint8Array>>): string => {
  const root = temporary()
  plant(root, files)
  return root
}

/** A first run: what would be read, and what is left out, by path. */
export const survey = async (
  root: string,
  options: Partial<WorkTreeOptions> = {},
): Promise<{ touched: readonly string[]; skipped: Record<string, string> }> => {
  const { touched, skipped } = await workTree({ root, ...options }).changes(new Map())
  return { touched, skipped: Object.fromEntries(skipped.map(({ path, reason }) => [path, reason])) }
}

/** Reads these paths to the end. */
export const readAll = async (
  root: string,
  paths: readonly string[],
  options: Partial<WorkTreeOptions> = {},
): Promise<(SourceDocument | Skipped)[]> => {
  const items: (SourceDocument | Skipped)[] = []
  for await (const item of workTree({ root, ...options }).read(paths)) items.push(item)
  return items
}

/** The text of one file, or the reason why there is none. */
export const readOne = async (
  root: string,
  path: string,
  options: Partial<WorkTreeOptions> = {},
): Promise<string> => {
  const [item] = await readAll(root, [path], options)
  return item === undefined ? 'nothing' : 'text' in item ? item.text : item.reason
}

/** What the index would know after a run, files skipped for their content included. */
export const remember = (items: readonly (SourceDocument | Skipped)[]): Map<string, KnownDocument> =>
  new Map(
    items.flatMap(item =>
      item.stamp === undefined
        ? []
        : [[item.path, { stamp: item.stamp, contentHash: 'text' in item ? item.contentHash : '' }]],
    ),
  )

/** Deaf to whatever git settings this machine has. */
export const git = (root: string, ...words: string[]): string => {
  const environment = {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    LC_ALL: 'C',
  }
  const { status, stdout, stderr } = spawnSync('git', ['-C', root, ...words], {
    env: environment,
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** What git would take: the files it tracks or could track. */
export const gitFiles = (root: string): string[] =>
  git(root, 'ls-files', '-z', '-co', '--exclude-standard')
    .split('\0')
    .filter(path => path !== '')
    .sort()
