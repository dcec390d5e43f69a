/**
 * Git hooks that refresh the index. All four are read and decided on before the first is written. Nothing here runs git, and
 * nothing that the repository's configuration says is obeyed.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Warning } from '../../core/answers.js'
import { QuarryError } from '../../core/errors.js'
import { blockFor, close, lineFor, open, type Starter } from './block.js'
import { type HookFile, isLink, readHook, refuseLink, writeHook } from './hook-file.js'
import { readConfigValue } from './read-config.js'
import { isShellScript } from './shell.js'

const HOOKS = ['post-commit', 'post-merge', 'post-checkout', 'post-rewrite'] as const

export interface HookChange {
  readonly name: (typeof HOOKS)[number]
  readonly path: string
  /** `left` was not touched, and a warning says why; `deleted` was Quarry's alone. */
  readonly action: 'created' | 'changed' | 'unchanged' | 'deleted' | 'left'
}

export interface HookReport {
  /** The top of the work tree. */
  readonly repository: string
  readonly hooks: readonly HookChange[]
  /** The lines that a hook gets for this directory. */
  readonly block: string
  readonly warnings: readonly Warning[]
}

/** Where a repository keeps its things, found by whoever asks for hooks in it. */
export interface HookedRepository {
  /** The top of the work tree. */
  readonly top: string
  /** What belongs to this work tree alone; the same as `commonDirectory` unless it is a linked one. */
  readonly gitDirectory: string
  /** Objects, references and hooks. */
  readonly commonDirectory: string
}

export interface HookOptions {
  readonly root: string
  readonly repository: HookedRepository
  readonly starter: Starter
  /** Configuration files of the user, who may have moved the hooks of every repository. */
  readonly userConfigs: readonly string[]
  /** Decide and report, but write nothing. */
  readonly dryRun: boolean
}

export const installHooks = (options: HookOptions): HookReport => {
  const { root, repository, starter } = options
  for (const path of [root, starter.node, starter.entry]) refuseLineBreaks(path)
  const directory = join(repository.commonDirectory, 'hooks')
  for (const path of [directory, ...HOOKS.map(name => join(directory, name))])
    if (isLink(path)) refuseLink(path)
  const elsewhere = hooksPathOf(repository, options.userConfigs)
  if (elsewhere !== undefined) {
    const message = `git looks for hooks in ${elsewhere} (core.hooksPath), where nothing is written; the hooks need the line`
    return reportOf(options, [], [advise(message, options)])
  }
  const [planned, warnings] = plan(options, directory, roots => [...new Set([...roots, root])])
  for (const { change, file } of planned)
    if (!options.dryRun && isWritten(change)) writeHook(change.path, file)
  return reportOf(options, planned, warnings)
}

/** Takes this directory out of the hooks; the lines go when no other directory is left in them. */
export const removeHooks = (options: HookOptions): HookReport => {
  const directory = join(options.repository.commonDirectory, 'hooks')
  // Nothing was ever written behind a link.
  if (isLink(directory)) return reportOf(options, [], [])
  const [planned, warnings] = plan(options, directory, roots => roots.filter(root => root !== options.root))
  // A hook without the block is none of our business, whatever it is.
  const touched = planned.filter(({ change }) => isWritten(change))
  for (const { change, file } of touched) if (!options.dryRun) writeHook(change.path, file)
  return reportOf(
    options,
    touched,
    warnings.filter(({ code }) => code === 'HOOK_DAMAGED'),
  )
}

interface Planned {
  readonly change: HookChange
  readonly file: HookFile
}

const plan = (
  options: HookOptions,
  directory: string,
  choose: (roots: readonly string[]) => readonly string[],
): [readonly Planned[], readonly Warning[]] => {
  const warnings: Warning[] = []
  const planned = HOOKS.map((name): Planned => {
    const path = join(directory, name)
    const left: Planned = { change: { name, path, action: 'left' }, file: { text: null, mode: null } }
    const leave = (why: string): Planned => {
      warnings.push(advise(`${path} ${why}: it is left as it is, and needs the line`, options))
      return left
    }
    const file = readHook(path)
    if (typeof file === 'string') return leave(file)
    const { text, mode } = file
    if (text !== null && !isShellScript(text)) return leave('is not a shell script')
    const opened = open(text)
    if (opened === 'damaged') {
      warnings.push({
        code: 'HOOK_DAMAGED',
        message: `${path} holds the beginning of Quarry’s lines without their end, and is left as it is`,
        hint: 'take the lines from "# >>> quarry init" on out, and run it again',
      })
      return left
    }
    // Git skips it now. Making it executable would run someone else's lines that do not run today.
    if (opened.foreign !== null && opened.roots.length === 0 && ((mode ?? 0) & 0o111) === 0)
      return leave('is not executable, so git does not run it')
    const next = close(opened.foreign, choose(opened.roots).filter(isThere), options.starter)
    const isSame = next === text && (mode === null || executable(mode) === mode)
    const action = isSame ? 'unchanged' : text === null ? 'created' : next === null ? 'deleted' : 'changed'
    return { change: { name, path, action }, file: { text: next, mode: mode && executable(mode) } }
  })
  return [planned, warnings]
}

const isWritten = ({ action }: HookChange): boolean => action !== 'left' && action !== 'unchanged'

/** A directory that is gone needs no refresh, and its block should not outlive it. */
const isThere = (root: string): boolean => existsSync(root)

/** For whoever may read it. */
const executable = (mode: number): number => mode | ((mode & 0o444) >> 2)

const hooksPathOf = (
  { commonDirectory, gitDirectory }: HookedRepository,
  userConfigs: readonly string[],
): string | undefined =>
  [join(gitDirectory, 'config.worktree'), join(commonDirectory, 'config'), ...userConfigs]
    .map(file => readConfigValue(file, 'core', 'hooksPath'))
    .find(value => value !== undefined && value !== '')

const advise = (message: string, { root, starter }: HookOptions): Warning => ({
  code: 'HOOK_LEFT',
  message,
  hint: lineFor(root, starter),
})

const reportOf = (
  { root, repository: { top }, starter }: HookOptions,
  planned: readonly Planned[],
  warnings: readonly Warning[],
): HookReport => ({
  repository: top,
  hooks: planned.map(({ change }) => change),
  block: blockFor([root], starter),
  warnings,
})

/** The block is read back line by line. */
const refuseLineBreaks = (path: string): void => {
  if (/\p{Cc}/u.test(path))
    throw new QuarryError(
      'BAD_PATH',
      `${JSON.stringify(path)} holds a control character and cannot stand in a hook`,
      {
        hint: 'rename the directory',
      },
    )
}
