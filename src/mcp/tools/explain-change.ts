/** `explain_change`: why lines look the way they do. */

import { z } from 'zod'
import type { Warning } from '../../core/answers.js'
import { QuarryError } from '../../core/errors.js'
import type { ExplainingCommit, Explanation, RelatedCommit } from '../../core/explanation.js'
import { excerptOf } from '../../present/diff-excerpt.js'
import { provenanceText, shareText } from '../../present/explain-text.js'
import type { Detail } from '../../present/text.js'
import { freshness, resultOf, type Size } from '../answer.js'
import { historyOf } from '../ask.js'
import type { Shown } from '../budget.js'
import { clean, cleanLine } from '../fence.js'
import { commitData, commitHead, diffLines, flag, note } from '../show-hit.js'
import { count, line, size } from './parameters.js'
import { type Call, type ToolResult, tool } from './tool.js'

export const explainChange = tool({
  name: 'explain_change',
  title: 'Explain lines',
  description:
    'Why lines of a file look the way they do: the commits that wrote them (exact, by git blame) and related ones, with the diff. ' +
    'Use it before changing code whose reason is unclear; without lines it explains the whole file.',
  parameters: z.strictObject({
    file: z.string().min(1).max(4096),
    line_start: line.optional(),
    line_end: line.optional(),
    k: count(20, 5),
    ...size,
  }),
  result: { exact: 'array', related: 'array', truncated: 'boolean', warnings: 'array' },
  async run({ file, line_start, line_end, k, ...wanted }, call) {
    if (line_end !== undefined && (line_start === undefined || line_end < line_start))
      throw new QuarryError('BAD_INPUT', 'line_end needs a line_start that is not behind it', {
        hint: '{"file": "src/http/retry.ts", "line_start": 10, "line_end": 20}',
      })
    const quarry = await call.root.quarry()
    const stale = await freshenHistory(call)
    const explanation = await quarry.explain(
      {
        path: file,
        ...(line_start !== undefined && { startLine: line_start }),
        ...(line_end !== undefined && { endLine: line_end }),
      },
      { limit: k, signal: call.signal },
    )
    return explanationResult(explanation, stale, wanted, call)
  },
})

/** What git says needs no index: that one could not be made is said by the explanation itself. */
const freshenHistory = async (call: Call): Promise<readonly Warning[]> => {
  try {
    return await call.root.freshen('hunk', call)
  } catch (error) {
    if (error instanceof QuarryError && error.code !== 'CANCELLED') return []
    throw error
  }
}

const explanationResult = async (
  explanation: Explanation,
  stale: readonly Warning[],
  wanted: Size,
  call: Call,
): Promise<ToolResult> => {
  const { path, startLine, endLine, exact, uncommitted, related, index } = explanation
  const warnings = [...stale, ...explanation.warnings]
  const items = [...exact, ...related].map(commit => ({
    whole: showExplaining(commit, wanted.detail),
    short: () => showExplaining(commit, 'compact'),
  }))
  const ofKind = (shown: readonly Shown[], provenance: string) =>
    shown.map(({ data }) => data).filter(data => data.provenance === provenance)
  return resultOf({
    items,
    size: wanted,
    warnings,
    index: index && freshness(index, warnings, await historyOf(call)),
    noun: 'commit',
    data: shown => ({
      ...{ path: cleanLine(path), startLine, endLine, uncommitted },
      exact: ofKind(shown, 'exact'),
      related: ofKind(shown, 'inferred'),
    }),
  })
}

const showExplaining = (commit: ExplainingCommit | RelatedCommit, detail: Detail): Shown => {
  const text = clean(commit.text)
  const { lines, before, after } = excerptOf({ ...commit, text }, detail === 'full')
  const diff = detail === 'compact' || text === '' ? '' : diffLines(lines, lines.length, detail)
  const warning = flag(`${commit.message}\n${commit.text}`)
  const share = commit.lines.length === 0 ? '' : `${shareText(commit.share, commit.lines)}, `
  const data = {
    provenance: commit.provenance,
    role: commit.role,
    ...('why' in commit && { why: commit.why }),
    ...(commit.lines.length > 0 && { share: Number(commit.share.toFixed(3)), lines: commit.lines }),
    ...commitData(commit, detail),
    ...(diff !== '' && { text: diff }),
    ...(diff !== '' && before + after > 0 && { linesLeftOut: before + after }),
    ...warning,
  }
  const head = `${commitHead(data)}\n${share}${provenanceText(commit)}${note(warning)}`
  return { data, text: diff === '' ? head : `${head}\n${diff}\n` }
}
