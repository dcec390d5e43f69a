/**
 * Brings a directory to the state of a commit. From one commit to the next only the files that differ are written, so
 * that an index of the directory has little to do again. Trees are read object by object: `git archive` would leave
 * out what a project marks `export-ignore`, which a reader of a clone does see.
 */

import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { git, readObjects } from './git.js'

interface Difference {
  readonly gone: readonly string[]
  /** Path → name of the object with its content. */
  readonly written: ReadonlyMap<string, string>
}

export const checkout = async (gitDirectory: string, directory: string, commit: string): Promise<void> => {
  // Beside the directory, not in it: whoever indexes the directory must not see it.
  const mark = `${directory}.commit`
  const before = await readFile(mark, 'utf8').catch(() => null)
  if (before === commit) return

  const step = before === null ? null : await between(gitDirectory, before, commit).catch(() => null)
  // Without its mark a directory counts as half written: a killed move starts from nothing next time.
  await rm(mark, { force: true })
  if (step === null) await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  await apply(gitDirectory, directory, step ?? (await wholeTree(gitDirectory, commit)))
  await writeFile(mark, commit)
}

const apply = async (gitDirectory: string, directory: string, difference: Difference): Promise<void> => {
  for (const path of difference.gone) {
    await rm(join(directory, path), { force: true })
    await removeEmptyParents(directory, path)
  }
  const paths = [...difference.written.keys()]
  let next = 0
  for await (const { name, content } of readObjects(gitDirectory, [...difference.written.values()])) {
    const path = paths[next++]!
    if (content === null) throw new Error(`The repository lacks object ${name} of ${path}`)
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), content)
  }
}

const removeEmptyParents = async (directory: string, path: string): Promise<void> => {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    try {
      await rmdir(join(directory, parent))
    } catch {
      return // something else lives there
    }
  }
}

const wholeTree = async (gitDirectory: string, commit: string): Promise<Difference> => {
  const output = await git(['--git-dir', gitDirectory, 'ls-tree', '-r', '-z', '--full-tree', commit])
  const written = new Map<string, string>()
  for (const entry of output.toString('utf8').split('\0')) {
    // `mode type object<tab>path`: only the path may hold blanks and tabs.
    const [mode, , object] = entry.slice(0, entry.indexOf('\t')).split(' ')
    const path = entry.slice(entry.indexOf('\t') + 1)
    if (mode && object && isFile(mode) && isSafe(path)) written.set(path, object)
  }
  return { gone: [], written }
}

const between = async (gitDirectory: string, from: string, to: string): Promise<Difference> => {
  const output = await git(['--git-dir', gitDirectory, 'diff-tree', '-r', '-z', '--no-renames', from, to])
  const fields = output.toString('utf8').split('\0')
  const gone: string[] = []
  const written = new Map<string, string>()
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [oldMode, mode, , object] = fields[index]!.slice(1).split(' ')
    const path = fields[index + 1]!
    if (!isSafe(path)) continue
    if (isFile(mode!)) written.set(path, object!)
    else if (isFile(oldMode!)) gone.push(path)
  }
  return { gone, written }
}

/** Links and submodules are not written: no index follows them, and a link may lead out of the directory. */
const isFile = (mode: string): boolean => mode.startsWith('100')

/** A tree made by hand can hold names that lead elsewhere. */
const isSafe = (path: string): boolean =>
  !path.split('/').some(part => part === '' || part === '.' || part === '..' || part.toLowerCase() === '.git')
