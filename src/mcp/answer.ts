/** From an answer of the engine to the result of a tool: hits within the budget, how fresh they are, what to know about them. */

import type { Answer, IndexState, Warning } from '../core/answers.js'
import type { HistoryStatus } from '../index.js'
import { isAboutVectors } from '../present/talk.js'
import type { Detail } from '../present/text.js'
import { type Fitted, moreHint, type Shown, takeFitting, tokensOf } from './budget.js'
import type { Page } from './cursor.js'
import { cleanLine, FENCE_TOKENS, fenced } from './fence.js'
import { showHit } from './show-hit.js'
import type { ToolResult } from './tools/tool.js'

export interface Size {
  readonly detail: Detail
  readonly max_tokens: number
}

export const answerResult = (
  answer: Answer,
  size: Size,
  history?: HistoryStatus | null,
  page?: Page,
): ToolResult => {
  const { query, understood, hits, warnings, index } = page?.turn(answer) ?? answer
  const items = hits.map(hit => ({
    whole: showHit(hit, query, size.detail),
    short: () => showHit(hit, query, 'compact'),
  }))
  return resultOf({
    items,
    size,
    warnings,
    ...(page && { cursorAfter: page.cursorAfter }),
    index: freshness(index, warnings, history),
    noun: hits.length > 0 && hits.every(({ commit }) => commit !== undefined) ? 'commit' : 'hit',
    data: shown => ({
      ...(understood && { understood: understood.map(cleanLine) }),
      hits: shown.map(({ data }) => data),
    }),
  })
}

/** How fresh an answer is. */
export interface Freshness extends Pick<IndexState, 'indexedAt' | 'chunks' | 'vectors'> {
  /** Whether a look at the files, commits and notes before this answer left nothing to be taken in; else a warning says what. */
  readonly upToDate: boolean
  /** Only of history. */
  readonly head?: string | null
  readonly commitsMissing?: number | null
}

export interface ResultParts {
  readonly items: readonly { readonly whole: Shown; readonly short: () => Shown }[]
  readonly size: Size
  readonly warnings: readonly Warning[]
  readonly index: Freshness | null
  readonly noun: string
  readonly data: (shown: readonly Shown[]) => Readonly<Record<string, unknown>>
  /** Of answers that can be gone on with. */
  readonly cursorAfter?: (shown: number) => string
}

export const resultOf = (parts: ResultParts): ToolResult => {
  const { items, size, warnings, index, noun, data, cursorAfter } = parts
  const told = warnings.map(warningData)
  const aside = { truncated: true, index, warnings: told, ...data([]) }
  // The sentence that says how to get more may come on top.
  const overhead = tokensOf(JSON.stringify(aside)) + FENCE_TOKENS + 40
  const all = takeFitting(items, size.max_tokens, overhead)
  // A cursor is paid for only where it is needed; with the only hit that there is room for, fewer words say what it is for.
  const paged =
    cursorAfter && all.leftOut > 0 ? takeFitting(items, size.max_tokens, overhead + CURSOR_TOKENS) : all
  const isTight = paged.shown.length === 0
  const fitted = isTight ? all : paged
  const cursor =
    fitted.leftOut > 0 && fitted.shown.length > 0 ? cursorAfter?.(fitted.shown.length) : undefined
  const isBrief = isTight && cursor !== undefined
  const more = isBrief ? `${fitted.leftOut} more: raise max_tokens` : moreHint(fitted, size.max_tokens)
  const next =
    cursor === undefined
      ? ''
      : isBrief
        ? ` or add cursor "${cursor}"`
        : `; for the next ask the same with cursor "${cursor}"`
  return {
    content: [{ type: 'text', text: textOf(fitted, told, index, noun, more && more + next) }],
    structuredContent: {
      ...data(fitted.shown),
      truncated: more !== undefined,
      ...(more !== undefined && { more }),
      ...(cursor !== undefined && { cursor }),
      warnings: told,
      index,
    },
  }
}

/** What it takes to name one and to say what it is for. */
const CURSOR_TOKENS = 30

const textOf = (
  { shown, leftOut }: Fitted,
  warnings: readonly Warning[],
  index: Freshness | null,
  noun: string,
  more: string | undefined,
): string => {
  const total = shown.length + leftOut
  const count = total === 0 ? `No ${noun}s found.` : `${total} ${noun}${total === 1 ? '' : 's'}.`
  // The slow vectors are being made behind: nothing to be done about it.
  const told = warnings.filter(warning => !isAboutVectors(warning))
  const hints = told.flatMap(({ hint }) => (hint === undefined ? [] : [hint]))
  const inside = [
    ...shown.map(({ text }, position) => `${position + 1}. ${text}`),
    // Paths and names of branches may stand in them.
    ...told.map(({ message }) => `warning: ${message}`),
  ]
  return [
    `${count} ${freshnessText(index, warnings)}`.trim(),
    ...(more === undefined ? [] : [more]),
    ...(hints.length === 0 ? [] : [`next: ${hints.join('; ')}`]),
    ...(inside.length === 0 ? [] : [fenced(inside)]),
  ].join('\n')
}

const warningData = ({ code, message, hint }: Warning): Warning => ({
  ...{ code, message: cleanLine(message) },
  ...(hint !== undefined && { hint: cleanLine(hint) }),
})

export const freshness = (
  { indexedAt, chunks, vectors }: IndexState,
  warnings: readonly Warning[],
  history?: HistoryStatus | null,
): Freshness => ({
  ...{ indexedAt, chunks, vectors },
  upToDate:
    indexedAt !== null && (history?.missing ?? 0) === 0 && !warnings.some(({ code }) => BEHIND.has(code)),
  ...(history && { head: history.head?.slice(0, 12) ?? null, commitsMissing: history.missing }),
})

/** Something changed that is not in the answer, or one of the parts is missing from it. */
const BEHIND: ReadonlySet<string> = new Set([
  ...[
    'STALE',
    'INDEXING',
    'INDEX_MISSING',
    'INDEX_OUTDATED',
    'INDEX_TOO_NEW',
    'INDEX_DAMAGED',
    'INDEX_LOCKED',
  ],
  ...['NOT_A_REPOSITORY', 'GIT_MISSING', 'GIT_FAILED', 'DISK_FULL', 'NO_HISTORY_INDEX'],
])

/** `Index of 2026-11-16T02:29:20.304Z, vectors 62 % embedded, HEAD 4f2a9c1b0d3e, up to date.` */
const freshnessText = (index: Freshness | null, warnings: readonly Warning[]): string => {
  if (index === null) return ''
  const { indexedAt, head, commitsMissing, upToDate } = index
  const age = indexedAt === null ? 'The index is unfinished' : `Index of ${indexedAt}`
  // The engine knows which embedder it misses even when the index holds nothing of it yet.
  const partial = warnings.find(isAboutVectors)?.message.replace(':', '')
  const behind = commitsMissing ? `${commitsMissing} commits missing` : upToDate ? 'up to date' : 'behind'
  const parts = [age, partial, head && `HEAD ${head}`, indexedAt !== null && behind]
  return `${parts.filter(Boolean).join(', ')}.`
}
