/**
 * Opens a repository for reading without believing it: git works in a directory of ours, whose settings are the only ones it
 * sees, and takes nothing but objects from the repository. First step of everything that has to do with history.
 */

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import { fenceObjects } from './fence-objects.js'
import { type FoundRepository, findRepository, type Trust } from './find-repository.js'
import { readGitConfig } from './git-config.js'
import {
  type GitInput,
  type GitPlace,
  type GitProcess,
  type RunOptions,
  runGit,
  startGit,
} from './git-process.js'
import { ATTRIBUTES, DRIVERS } from './hunk-names.js'
import { needingRoom } from './needing-room.js'
import { readSmallFile } from './read-small-file.js'
import { type RefStore, readRefs } from './refs.js'
import { isVouchedFor } from './vouched-places.js'

export interface OpenOptions extends Trust {
  /** Ours alone, one for each repository; made when it is not there. */
  readonly shadowDirectory: string
  /** Whose repositories are opened without asking; the user who runs the process unless told. */
  readonly userId?: number
}

export interface RepositoryFacts {
  readonly kind: FoundRepository['kind']
  readonly shallow: boolean
  /** Some objects were never fetched. */
  readonly partial: boolean
  readonly objectFormat: 'sha1' | 'sha256'
  /** The commit that is checked out; null before the first one. */
  readonly head: string | null
  /** The branch that is checked out; null when HEAD is detached. */
  readonly branch: string | null
  /** What history will not hold, in sentences for people. */
  readonly limits: readonly string[]
}

export interface Repository extends FoundRepository {
  /** Ours: git works in it, and so may we. */
  readonly shadowDirectory: string
  readonly facts: RepositoryFacts
  /** All directories that it is read from. */
  readonly places: readonly string[]
  /** Reads them anew each time. */
  refs(): Promise<RefStore>
  /** The commits whose parents were not fetched; empty unless the clone is shallow. */
  shallowCommits(): readonly string[]
  run(args: readonly string[], options?: RunOptions & PlaceOptions): Promise<Buffer>
  stream(args: readonly string[], options?: GitInput & PlaceOptions): GitProcess
}

interface PlaceOptions {
  /** In the place of the repository's own. */
  readonly shallowFile?: string
  /** In the place of our own: a view of another part of the repository. */
  readonly directory?: string
  /** Paths may be patterns; they are plain names unless told. */
  readonly pathPatterns?: boolean
}

/** Throws `NOT_A_REPOSITORY` where there is none, or one that the user should look at first. */
export const openRepository = async (root: string, options: OpenOptions): Promise<Repository> => {
  const found = findRepository(root, options)
  if (found === null)
    throw new QuarryError('NOT_A_REPOSITORY', `No git repository holds ${root}`, {
      hint: 'git init makes one; quarry index --no-history does without',
    })
  checkOwner(found, options)
  const { shadowDirectory } = options
  const { gitDirectory, commonDirectory, top } = found
  const config = readGitConfig(commonDirectory)
  const objectFormat = config.get('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1'
  const objects = needingRoom(shadowDirectory, () => {
    makeShadow(shadowDirectory, objectFormat)
    return fenceObjects(commonDirectory, top ?? commonDirectory, shadowDirectory, options)
  })
  const shallowFile = join(commonDirectory, 'shallow')
  const place = ({ shallowFile: shallow, directory, pathPatterns = false }: PlaceOptions = {}): GitPlace => ({
    pathPatterns,
    directory: directory ?? shadowDirectory,
    objects: objects.directory,
    shallowFile: shallow ?? (readSmallFile(shallowFile, LARGEST_SHALLOW_FILE) === null ? null : shallowFile),
  })
  const shallowCommits = (): string[] =>
    (readSmallFile(shallowFile, LARGEST_SHALLOW_FILE) ?? '').split('\n').filter(line => line !== '')
  const open = {
    ...found,
    shadowDirectory,
    shallowCommits,
    run: (args: readonly string[], given?: RunOptions & PlaceOptions) => runGit(place(given), args, given),
    stream: (args: readonly string[], given?: GitInput & PlaceOptions) => startGit(place(given), args, given),
  }
  const refs = (): Promise<RefStore> =>
    readRefs({ gitDirectory, commonDirectory, shadowDirectory, objectFormat, run: open.run })
  const { head, branch, complaint } = await refs()
  const shallow = shallowCommits().length
  const partial = isPartial(commonDirectory) || config.has('extensions.partialclone')
  const limits = [
    ...(complaint === null ? [] : [complaint]),
    ...(head === null ? [`no commit yet${branch === null ? '' : ` on ${branch}`}`] : []),
    ...(shallow > 0
      ? [
          `shallow clone: history ends at ${shallow} commit${shallow === 1 ? '' : 's'}, what came before is unknown`,
        ]
      : []),
    ...(partial ? ['partial clone: changes whose objects were never fetched are skipped'] : []),
    ...objects.refused.map(
      path => `objects borrowed from ${path} are not read: it is outside of this repository`,
    ),
  ]
  return {
    ...open,
    refs,
    places: [...new Set([...ownPlaces(found), ...objects.borrowed])],
    facts: { kind: found.kind, shallow: shallow > 0, partial, objectFormat, head, branch, limits },
  }
}

const LARGEST_SHALLOW_FILE = 64 << 20

/** Someone else's repository may be a trap; git refuses it too. Root is asked to read everybody's, as in containers. */
const checkOwner = (
  found: FoundRepository,
  { trust, vouched, userId = process.getuid?.() }: OpenOptions,
): void => {
  if (trust === true || userId === undefined || userId === 0) return
  for (const path of ownPlaces(found))
    if (statSync(path).uid !== userId && !isVouchedFor(path, vouched))
      throw new QuarryError('NOT_A_REPOSITORY', `${path} belongs to another user`, {
        hint: 'if you trust it: quarry index --trust; without history: quarry index --no-history',
      })
}

const ownPlaces = ({ gitDirectory, commonDirectory, top }: FoundRepository): string[] => [
  gitDirectory,
  commonDirectory,
  top ?? gitDirectory,
]

/** Larger blobs are binary to git: it neither reads nor compares them. */
const LARGEST_TEXT = '2m'

const makeShadow = (directory: string, objectFormat: RepositoryFacts['objectFormat']): void => {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const status = lstatSync(directory)
  if (!status.isDirectory()) throw new QuarryError('BAD_PATH', `${directory} is not a directory`)
  if ((status.mode & 0o077) !== 0) chmodSync(directory, 0o700)
  for (const part of ['refs', 'objects', 'info'])
    mkdirSync(join(directory, part), { recursive: true, mode: 0o700 })
  const version = objectFormat === 'sha1' ? 0 : 1
  const extension = objectFormat === 'sha1' ? '' : '[extensions]\n\tobjectformat = sha256\n'
  write(
    join(directory, 'config'),
    `[core]\n\trepositoryformatversion = ${version}\n\tbare = true\n\tquotePath = false\n\tbigFileThreshold = ${LARGEST_TEXT}\n` +
      `[diff]\n\trenameLimit = 1000\n${extension}${DRIVERS}`,
  )
  write(join(directory, 'info', 'attributes'), ATTRIBUTES)
  // Last, as a directory without it is no git directory: nothing runs in a half-made one. It names no branch that exists.
  write(join(directory, 'HEAD'), 'ref: refs/heads/shadow\n')
}

/** Whole or not at all, and only when it differs: other processes may be reading it. */
const write = (path: string, content: string): void => {
  if (readSmallFile(path) === content) return
  const part = `${path}.${process.pid}.part`
  try {
    writeFileSync(part, content, { mode: 0o600 })
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

const isPartial = (commonDirectory: string): boolean => {
  try {
    return readdirSync(join(commonDirectory, 'objects', 'pack')).some(name => name.endsWith('.promisor'))
  } catch {
    return false
  }
}
