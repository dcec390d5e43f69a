/** `quarry search`, `find` and `ask`: one question, or with `--queries` as many as a file holds, by one open engine. */

import { QuarryError } from '../../core/errors.js'
import type { SearchRequest } from '../../index.js'
import { answerLine, encode } from '../../present/json.js'
import { warningText } from '../../present/talk.js'
import { fillInBehind, fillInSaying } from '../background.js'
import { failureOf } from '../fail.js'
import type { SearchFlags } from '../flags.js'
import { type RecallFlags, recallOf } from '../note-flags.js'
import { withQuarry } from '../open.js'
import type { Surroundings } from '../program.js'
import { askWith, handOver, requestOf } from './answer.js'

interface Flags extends SearchFlags, RecallFlags {
  readonly queries?: string
}

export type Verb = 'search' | 'find' | 'recall' | 'ask'

export const runSearch = async (
  verb: Verb,
  question: string | undefined,
  flags: Flags,
  surroundings: Surroundings,
): Promise<number> => {
  const { queries } = flags
  if (queries !== undefined && question === undefined) return askAll(verb, queries, flags, surroundings)
  if (queries !== undefined) {
    throw new QuarryError('BAD_INPUT', 'A question and --queries were both given', {
      hint: 'leave one of them out',
    })
  }
  if (question === undefined) {
    throw new QuarryError('BAD_INPUT', 'The question is missing', {
      hint: `quarry ${verb} "what you are looking for"`,
    })
  }
  const request = { ...requestOf(flags), ...recallOf(flags) }
  return withQuarry(flags, async quarry => {
    const ask = (full: SearchRequest) => quarry[verb](question, full)
    const { answer, hasIndexed } = await askWith(request, flags, surroundings, ask)
    const code = await handOver(answer, quarry, flags, surroundings.terminal)
    if (hasIndexed && !surroundings.signal.aborted)
      await fillInSaying(quarry, surroundings.terminal, behind(verb))
    return code
  })
}

/** Whoever asks the notes has not asked for an index of everything that lies in the directory. */
const behind = (verb: Verb): readonly string[] => (verb === 'recall' ? ['--notes'] : [])

/** One JSON answer a line, in order. A question that fails costs its own answer and the exit code, nothing else. */
const askAll = async (
  verb: Verb,
  file: string,
  flags: Flags,
  surroundings: Surroundings,
): Promise<number> => {
  const { readQueries } = await import('../queries.js')
  const { terminal, signal } = surroundings
  const request = { ...requestOf(flags), ...recallOf(flags) }
  const shape: Flags = { ...flags, format: 'jsonl' }
  return withQuarry(flags, async quarry => {
    terminal.talk(warningText(quarry.warnings, terminal.paint))
    const seen = { failures: 0, found: 0, asked: 0 }
    for await (const item of readQueries(file, process.stdin, signal)) {
      if (signal.aborted) break
      try {
        if ('error' in item) throw item.error
        const { query, id } = item
        // The tree is looked at before the first question only: the answers of one run belong together.
        const due: SearchRequest = seen.asked === 0 ? request : { ...request, refresh: 'never' }
        const ask = (full: SearchRequest) => quarry[verb](query, full)
        const { answer, hasIndexed } = await askWith(due, shape, surroundings, ask)
        seen.asked++
        seen.found += answer.hits.length
        await terminal.print(answerLine(answer, id))
        if (hasIndexed) await fillInBehind(quarry, behind(verb))
      } catch (error) {
        if (signal.aborted) break
        seen.failures++
        await terminal.print(failedLine(item, error))
      }
    }
    return seen.failures > 0 ? 2 : seen.found > 0 ? 0 : 1
  })
}

const failedLine = (item: { id?: string | number; query?: string; line: number }, error: unknown): string => {
  const { id, query, line } = item
  const answer = { ...(id === undefined ? {} : { id }), query: query ?? null, hits: [], warnings: [] }
  return `${encode({ ...answer, error: { ...failureOf(error), line } })}\n`
}
