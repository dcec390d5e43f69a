/** From the material of a corpus to a directory that can be indexed, and how it is then taken in and asked. */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { IndexReport, Progress } from '../../core/answers.js'
import { QuarryError } from '../../core/errors.js'
import type { LabelledCorpus, Material } from '../../measuring/sets/shape.js'
import { writeDocuments } from '../../measuring/sets/write-documents.js'
import type { Quarry } from '../api.js'
import { openMirror } from './mirrors.js'
import { writeTree } from './write-tree.js'

export interface PrepareParts {
  /** Where files may be written. */
  readonly directory: string
  readonly mirrors: string | undefined
  readonly trust: boolean
  readonly signal?: AbortSignal
}

export interface PreparedCorpus {
  /** The directory to open. */
  readonly root: string
  readonly remarks: readonly string[]
}

/** `NOT_A_REPOSITORY` where a clone that is needed is not there. */
export const prepareCorpus = async (
  { material, name, place = name }: LabelledCorpus,
  parts: PrepareParts,
): Promise<PreparedCorpus> => {
  // Where `out` lies in a repository, the rules that it ignores files by end here.
  await mkdir(join(parts.directory, '.git'), { recursive: true })
  const root = join(parts.directory, place.replace(/[^\w.-]+/g, '_').replace(/^\.+/, '_'))
  if (material.kind === 'history') {
    const { repository } = await openMirror(material, parts)
    // The git directory is a repository without a tree: nothing but commits is taken in.
    return { root: repository.commonDirectory, remarks: [] }
  }
  if (material.kind === 'repository') {
    const remarks = await writeRepository(root, material, parts)
    return { root: join(root, material.directory), remarks }
  }
  if (material.kind === 'documents') await writeDocuments(root, material)
  else {
    await mkdir(root, { recursive: true })
    await writeFile(turnsFile(root), material.turns.map(turn => `${JSON.stringify(turn)}\n`).join(''))
  }
  return { root, remarks: [] }
}

/** Beside the directory: it is no part of what is searched. */
const turnsFile = (root: string): string => `${root}.jsonl`

export const takeInCorpus = async (
  quarry: Quarry,
  material: Material,
  request: {
    readonly stage: 'first' | 'full'
    readonly onProgress: (progress: Progress) => void
    readonly signal?: AbortSignal
  },
): Promise<IndexReport> => {
  if (material.kind === 'history') {
    const report = await quarry.index({ ...request, history: { refs: [material.revision] } })
    return report.history ?? report
  }
  if (material.kind !== 'conversation') return quarry.index({ ...request, history: false })
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

/** The tree at the pinned commit; '' of `directory` is all of it. */
const writeRepository = async (
  root: string,
  material: Extract<Material, { kind: 'repository' }>,
  parts: PrepareParts,
): Promise<readonly string[]> => {
  const { url, revision, directory: below, without = [] } = material
  const isWhole = /^[0-9a-f]{40}$/.test(revision)
  const opened = isWhole ? null : await openMirror(material, parts)
  const commit = opened?.commit ?? revision
  const open = async () => (opened ?? (await openMirror(material, parts))).repository
  const count = await writeTree(root, { commit, below, without }, open, parts.signal)
  if (count === 0)
    throw new QuarryError('BAD_INPUT', `${url} has no files below ${below || 'its top'} at ${revision}`, {
      hint: 'look at the directory and the commit that the set names',
    })
  return isWhole ? [] : [`${revision} was ${commit}`]
}
