/** `index_status`: what the index holds and how far it is behind; on request it is brought up to date first. */

import { z } from 'zod'
import type { Skipped } from '../../core/types.js'
import type { Status } from '../../index.js'
import { cleanLine, fenced } from '../fence.js'
import { whileLocked } from '../root.js'
import { type ToolResult, tool } from './tool.js'

export const indexStatus = tool({
  name: 'index_status',
  title: 'Index status',
  description:
    'What the index holds, how far it is behind the files and commits, what was left out. ' +
    'refresh: true brings it up to date first. Searches do that by themselves: needed only when one warns.',
  parameters: z.strictObject({ refresh: z.boolean().default(false) }),
  result: { filesChanged: 'integer', filesGone: 'integer', warnings: 'array' },
  async run({ refresh }, call) {
    const quarry = await call.root.quarry()
    const report = refresh
      ? await whileLocked(
          () => quarry.index({ stage: 'first', signal: call.signal, onProgress: call.onProgress }),
          call.signal,
        )
      : null
    const status = await quarry.status()
    if (report !== null) await call.root.fillIn()
    const warnings = [...quarry.warnings, ...status.warnings, ...(report?.warnings ?? [])]
    return statusResult({ ...status, warnings }, report !== null)
  },
})

const statusResult = (status: Status, isRefreshed: boolean): ToolResult => {
  const { root, index, changed, gone, skippedByReason, history, notes } = status
  const warnings = status.warnings.map(({ code, message, hint }) => ({
    ...{ code, message: cleanLine(message) },
    ...(hint !== undefined && { hint: cleanLine(hint) }),
  }))
  const past = history && {
    ...{ head: history.head, branch: history.branch === null ? null : cleanLine(history.branch) },
    ...{ index: history.index, commitsMissing: history.missing, commitsGone: history.gone },
    ...{ limits: history.limits.map(cleanLine), unreadable: unreadable(history.skipped) },
  }
  return {
    content: [{ type: 'text', text: statusText(status, isRefreshed) }],
    structuredContent: {
      ...{ root: cleanLine(root), refreshed: isRefreshed, index, filesChanged: changed, filesGone: gone },
      ...{ leftOut: skippedByReason, history: past },
      ...{ notes: notes && { notes: notes.notes, pending: notes.pending }, warnings },
    },
  }
}

const unreadable = (skipped: readonly Skipped[]): number =>
  skipped.filter(({ reason }) => reason === 'missing-object').length

const statusText = (status: Status, isRefreshed: boolean): string => {
  const { root, index, changed, gone, history, notes, warnings } = status
  const code =
    index === null
      ? status.problem === null
        ? 'Code: not indexed yet; a search indexes it.'
        : 'Code: the index cannot be read.'
      : `Code: ${index.documents} files, ${index.chunks} chunks, index of ${index.indexedAt ?? 'an unfinished run'}; ${changed} files changed, ${gone} gone since.`
  const past =
    history === null
      ? 'History: no git repository here.'
      : history.index === null
        ? history.problem === null
          ? 'History: not indexed yet; find_pattern indexes it.'
          : 'History: cannot be read.'
        : `History: ${history.index.documents} commits, ${history.missing ?? 'unknown'} missing, HEAD ${history.head?.slice(0, 12) ?? 'none'}.`
  const inside = [
    `root: ${cleanLine(root)}`,
    ...(history?.branch ? [`branch: ${cleanLine(history.branch)}`] : []),
    ...(history?.limits ?? []).map(cleanLine),
    ...warnings.map(({ message }) => `warning: ${cleanLine(message)}`),
  ]
  const hints = warnings.flatMap(({ hint }) => (hint === undefined ? [] : [cleanLine(hint)]))
  return [
    ...(isRefreshed ? ['Brought up to date.'] : []),
    code,
    past,
    ...(notes === null
      ? []
      : [`Notes: ${notes.notes}, of which ${notes.pending} are taken in by the next recall.`]),
    ...(hints.length === 0 ? [] : [`next: ${hints.join('; ')}`]),
    fenced(inside),
  ].join('\n')
}
