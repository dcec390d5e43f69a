/** From the material of a corpus to a directory that can be indexed, and how it is then taken in and asked. */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import type { IndexReport, Progress } from '../../core/types.js'
import type { LabelledCorpus, Material } from '../../measuring/sets/shape.js'
import { writeDocuments } from '../../measuring/sets/write-documents.js'
import type { Quarry } from '../api.js'
import { findMirror } from './mirrors.js'

export interface PrepareParts {
  /** Where files may be written. */
  readonly directory: string
  readonly mirrors: string | undefined
  readonly trust: boolean
  readonly signal?: AbortSignal
}

/** The directory to open; `NOT_A_REPOSITORY` where a clone that is needed is not there. */
export const prepareCorpus = async (
  { material, name }: LabelledCorpus,
  parts: PrepareParts,
): Promise<string> => {
  // Where `out` lies in a repository, the rules that it ignores files by end here.
  await mkdir(join(parts.directory, '.git'), { recursive: true })
  const root = join(parts.directory, name.replace(/[^\w.-]+/g, '_').replace(/^\.+/, '_'))
  if (material.kind === 'documents') await writeDocuments(root, material)
  else if (material.kind === 'repository') await writeTree(root, material, parts)
  else {
    await mkdir(root, { recursive: true })
    await writeFile(turnsFile(root), material.turns.map(turn => `${JSON.stringify(turn)}\n`).join(''))
  }
  return material.kind === 'repository' ? join(root, material.directory) : root
}

/** Beside the directory: it is no part of what is searched. */
const turnsFile = (root: string): string => `${root}.jsonl`

export const takeInCorpus = async (
  quarry: Quarry,
  kind: Material['kind'],
  request: {
    readonly stage: 'first' | 'full'
    readonly onProgress: (progress: Progress) => void
    readonly signal?: AbortSignal
  },
): Promise<IndexReport> => {
  if (kind !== 'conversation') return quarry.index({ ...request, history: false })
  const { remarks } = await quarry.notes.add([turnsFile(quarry.root)])
  const report = await quarry.index({ ...request, only: 'notes' })
  const refused = remarks.filter(({ isTaken }) => !isTaken)
  const [first] = refused
  return first === undefined
    ? report
    : {
        ...report,
        warnings: [
          ...report.warnings,
          { code: 'TURNS_REFUSED', message: `${refused.length} turns were not taken in: ${first.message}` },
        ],
      }
}

/** The largest file that is written; `index.maxFileBytes` decides what is read of them. */
const LARGEST_FILE = 8 << 20

const writeTree = async (
  root: string,
  { url, revision, directory }: Extract<Material, { kind: 'repository' }>,
  { mirrors, trust, signal, ...parts }: PrepareParts,
): Promise<void> => {
  const mark = `${root}.commit`
  if ((await readFile(mark, 'utf8').catch(() => null)) === revision) return
  const mirror = findMirror(url, mirrors)
  const { openRepository } = await import('../../adapters/git/shadow.js')
  const { readTree } = await import('../../adapters/git/read-tree.js')
  const shadowDirectory = join(parts.directory, 'git', revision)
  await mkdir(dirname(shadowDirectory), { recursive: true })
  const repository = await openRepository(mirror, { shadowDirectory, trust })
  const { resolveRevision } = await import('../../adapters/git/revision.js')
  await resolveRevision(repository, revision).catch((cause: unknown) => {
    throw new QuarryError('NOT_A_REPOSITORY', `the clone of ${url} does not hold ${revision}`, {
      hint: `git -C ${mirror} fetch origin ${revision}`,
      cause,
    })
  })
  await rm(mark, { force: true })
  await rm(root, { recursive: true, force: true })
  let count = 0
  const abort = signal ? { signal } : {}
  for await (const { path, content } of readTree(repository, revision, {
    ...{ below: directory, maxBytes: LARGEST_FILE },
    ...abort,
  })) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
    count++
  }
  if (count === 0)
    throw new QuarryError('BAD_INPUT', `${url} has no files below ${directory || 'its top'} at ${revision}`, {
      hint: 'look at benchmark_root in repos.json',
    })
  await writeFile(mark, revision)
}
