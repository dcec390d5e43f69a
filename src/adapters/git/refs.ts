/**
 * Reads where branches and tags point, from the files of the repository and without git: a name of the repository's choice
 * never becomes an argument. Only object ids of the right length come out of here.
 */

import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import { needingRoom } from './needing-room.js'
import { readSmallFile } from './read-small-file.js'

export interface Ref {
  /** In full: `refs/heads/main`. */
  readonly name: string
  /** What it points at: a commit, or the tag object of an annotated tag. */
  readonly sha: string
  /** What the tag object points at in the end, where the repository says so. */
  readonly peeled?: string
}

export interface RefStore {
  /** Sorted by name. */
  readonly refs: ReadonlyMap<string, Ref>
  /** The commit that is checked out; null before the first one. */
  readonly head: string | null
  /** The name of the branch that is checked out, without `refs/heads/`; null when HEAD is detached. */
  readonly branch: string | null
  /** Why refs could not be read, in a sentence. */
  readonly complaint: string | null
}

interface RefPlace {
  readonly gitDirectory: string
  readonly commonDirectory: string
  readonly shadowDirectory: string
  readonly objectFormat: 'sha1' | 'sha256'
  readonly run: (args: readonly string[], options: { readonly directory: string }) => Promise<Buffer>
}

const LARGEST_PACKED_REFS = 256 << 20
const DEEPEST_REF = 32
const MOST_REFS = 1_000_000
const LONGEST_CHAIN = 5

export const readRefs = async (place: RefPlace): Promise<RefStore> => {
  const { gitDirectory, commonDirectory, objectFormat } = place
  if (lstatSync(join(commonDirectory, 'reftable'), { throwIfNoEntry: false })?.isDirectory())
    return readTables(place)
  const isId = idPattern(objectFormat)
  const { raw, refs } = readFiles(commonDirectory, isId)
  const headText = (readSmallFile(join(gitDirectory, 'HEAD'), 4096) ?? '').trim()
  const head = follow(headText, raw, isId)
  return { refs, head, branch: branchOf(symbolicTarget(headText)), complaint: null }
}

interface RefFiles {
  /** What the files say: ids, and names of other refs. */
  readonly raw: ReadonlyMap<string, string>
  readonly refs: ReadonlyMap<string, Ref>
}

/** What was read last, and from which text: a warm process asks often, and thousands of packed refs hardly ever change. */
let last: (RefFiles & { readonly packed: string; readonly loose: string }) | undefined
const LONGEST_KEPT = 4 << 20
const MOST_LOOSE_KEPT = 1_000

const readFiles = (directory: string, isId: RegExp): RefFiles => {
  const packed = readSmallFile(join(directory, 'packed-refs'), LARGEST_PACKED_REFS) ?? ''
  const loose = new Map<string, string>()
  readLoose(directory, 'refs', loose)
  const isKept = packed.length <= LONGEST_KEPT && loose.size <= MOST_LOOSE_KEPT
  const looseText = isKept ? JSON.stringify([isId.source, ...loose]) : ''
  if (isKept && last?.packed === packed && last.loose === looseText) return last
  const peeled = new Map<string, string>()
  const raw = readPacked(packed, isId, peeled)
  // Loose refs are newer than packed ones.
  for (const [name, text] of loose) raw.set(name, text)
  const refs = new Map<string, Ref>()
  for (const name of [...raw.keys()].sort()) {
    const sha = follow(raw.get(name)!, raw, isId)
    const known = sha === null ? undefined : peeled.get(sha)
    if (sha !== null) refs.set(name, { name, sha, ...(known === undefined ? {} : { peeled: known }) })
  }
  last = isKept ? { packed, loose: looseText, raw, refs } : undefined
  return { raw, refs }
}

const follow = (text: string, raw: ReadonlyMap<string, string>, isId: RegExp, depth = 0): string | null => {
  if (isId.test(text)) return text
  const target = symbolicTarget(text)
  const next = target === null || depth >= LONGEST_CHAIN ? undefined : raw.get(target)
  return next === undefined ? null : follow(next, raw, isId, depth + 1)
}

export const idPattern = (objectFormat: 'sha1' | 'sha256'): RegExp =>
  objectFormat === 'sha1' ? /^[0-9a-f]{40}$/ : /^[0-9a-f]{64}$/

/** As git checks names: nothing that climbs, hides, is a lock, or holds what a revision expression would. */
const SAFE_NAME = /^refs\/(?!.*(?:\.\.|@\{|\/\/|\/\.|\/$|\.lock(?:\/|$)))(?!\.)[^\0-\x20~^:?*[\\\x7f]+$/
const isSafeName = (name: string): boolean => SAFE_NAME.test(name)

const symbolicTarget = (text: string): string | null => {
  const target = /^ref: *(.+)$/.exec(text)?.[1]
  return target !== undefined && isSafeName(target) ? target : null
}

const branchOf = (target: string | null): string | null =>
  /^refs\/heads\/(.+)$/.exec(target ?? '')?.[1] ?? null

const readPacked = (text: string, isId: RegExp, peeled: Map<string, string>): Map<string, string> => {
  const raw = new Map<string, string>()
  let last = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('^')) {
      if (last !== '' && isId.test(line.slice(1))) peeled.set(last, line.slice(1))
      continue
    }
    const space = line.indexOf(' ')
    const [sha, name] = [line.slice(0, Math.max(space, 0)), line.slice(space + 1)]
    const isRef = isId.test(sha) && isSafeName(name)
    if (isRef) raw.set(name, sha)
    last = isRef ? sha : ''
  }
  return raw
}

const readLoose = (directory: string, below: string, raw: Map<string, string>, depth = 0): void => {
  if (depth > DEEPEST_REF) return
  for (const entry of entriesOf(join(directory, below))) {
    const name = `${below}/${entry.name}`
    if (raw.size >= MOST_REFS) return
    if (entry.isDirectory()) readLoose(directory, name, raw, depth + 1)
    else if (entry.isFile() && isSafeName(name)) {
      const text = readSmallFile(join(directory, name), 4096)?.trim()
      if (text !== undefined && text !== '') raw.set(name, text)
    }
  }
}

const entriesOf = (path: string) => {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Reftables are read by git, through a directory of ours that holds nothing else of the repository. */
const readTables = async (place: RefPlace): Promise<RefStore> => {
  const { gitDirectory, commonDirectory, objectFormat } = place
  const isId = idPattern(objectFormat)
  try {
    const view = tableView(place, 'refs', commonDirectory)
    const format = '--format=%(refname) %(objectname) %(*objectname)'
    const lines = (await place.run(['for-each-ref', format], { directory: view }))
      .toString('utf8')
      .split('\n')
    const refs = new Map<string, Ref>()
    for (const line of lines.sort()) {
      const [name = '', sha = '', peeled = ''] = line.split(' ')
      if (isId.test(sha) && isSafeName(name))
        refs.set(name, { name, sha, ...(isId.test(peeled) ? { peeled } : {}) })
    }
    const headView = gitDirectory === commonDirectory ? view : tableView(place, 'head', gitDirectory)
    const ask = async (...args: string[]): Promise<string | null> =>
      place.run(args, { directory: headView }).then(
        output => output.toString('utf8').trim(),
        () => null,
      )
    const target = symbolicTarget(`ref: ${await ask('symbolic-ref', '--quiet', 'HEAD')}`)
    const detached = target === null ? await ask('rev-parse', '--verify', '--quiet', 'HEAD') : null
    const head = target === null ? detached : (refs.get(target)?.sha ?? null)
    return {
      refs,
      head: head !== null && isId.test(head) ? head : null,
      branch: branchOf(target),
      complaint: null,
    }
  } catch (error) {
    if (!(error instanceof QuarryError) || error.code !== 'GIT_FAILED') throw error
    const complaint = `its refs are kept as reftables, which this git cannot read (${error.message})`
    return { refs: new Map(), head: null, branch: null, complaint }
  }
}

const tableView = (place: RefPlace, name: string, gitDirectory: string): string =>
  needingRoom(place.shadowDirectory, () => makeTableView(place, name, gitDirectory))

const makeTableView = (
  { shadowDirectory, objectFormat }: RefPlace,
  name: string,
  gitDirectory: string,
): string => {
  const view = join(shadowDirectory, 'reftable', name)
  mkdirSync(join(view, 'refs'), { recursive: true, mode: 0o700 })
  const extensions = `\trefstorage = reftable\n${objectFormat === 'sha256' ? '\tobjectformat = sha256\n' : ''}`
  writeFileSync(join(view, 'HEAD'), 'ref: refs/heads/.invalid\n')
  writeFileSync(
    join(view, 'config'),
    `[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n${extensions}`,
  )
  rmSync(join(view, 'reftable'), { force: true })
  symlinkSync(join(gitDirectory, 'reftable'), join(view, 'reftable'), 'junction')
  return view
}
