/**
 * The files of LongMemEval: each question brings the sessions it is asked of, so each is a notebook of its own. The file is read
 * twice, once for the questions and once for their sessions, and one question is in memory at a time.
 */

import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { z } from 'zod'
import type { Turn } from '../../core/notes.js'
import { samePath } from '../metrics/match.js'
import { arrayElements } from './array-elements.js'
import { badData, parseChecked } from './read-data.js'
import type { LabelledCorpus, LabelledSet, LeftOut } from './shape.js'

const entry = z.object({
  question_id: z.string().min(1),
  question_type: z.string().default(''),
  question: z.string(),
  question_date: z.string().optional(),
  haystack_session_ids: z.array(z.string().min(1)),
  haystack_dates: z.array(z.string()).default([]),
  haystack_sessions: z.array(
    z.array(z.object({ role: z.string(), content: z.string(), has_answer: z.boolean().nullish() })),
  ),
  answer_session_ids: z.array(z.string()),
})
type Entry = z.infer<typeof entry>

export const readLongMemEval = async (file: string): Promise<LabelledSet> => {
  const digest = createHash('sha256')
  const questions: { readonly id: string; readonly text: string }[] = []
  const leftOut: LeftOut[] = []
  for await (const { place, text } of arrayElements(file, bytes => digest.update(bytes))) {
    const found = parseChecked(entry, text, place)
    const { question_id: id, haystack_session_ids: ids, haystack_sessions: sessions } = found
    if (ids.length !== sessions.length)
      throw badData(
        `${place}: question ${id} has ${ids.length} haystack_session_ids but ${sessions.length} haystack_sessions`,
      )
    const reason = reasonToLeaveOut(found)
    if (reason === null) questions.push({ id, text: found.question })
    else leftOut.push({ id, reason })
  }
  return {
    ...{ name: basename(file).replace(/\.json$/, ''), layout: 'conversations', hash: digest.digest('hex') },
    ...{ questions, leftOut },
    remarks: ['turns of both sides are searched; the evaluation of the paper searches those of the user'],
    async *corpora(chosen) {
      for await (const { place, text } of arrayElements(file)) {
        const found = parseChecked(entry, text, place)
        if (chosen.has(found.question_id) && reasonToLeaveOut(found) === null) yield corpusOf(found)
      }
    },
  }
}

/** As the evaluation of the paper does: what never happened is nowhere to be found. */
const reasonToLeaveOut = ({ question_id, answer_session_ids }: Entry): string | null => {
  if (question_id.endsWith('_abs')) return 'an abstention question: there is nothing to find'
  return answer_session_ids.length === 0 ? 'no session holds the answer' : null
}

const corpusOf = (found: Entry): LabelledCorpus => {
  const { question_id: id, question: text, question_type: category, answer_session_ids: sessions } = found
  const turns = turnsOf(found)
  const targets = turns.filter(({ isTarget }) => isTarget).map(({ turn }) => ({ path: turn.id!, grade: 1 }))
  const now = timeOf(found.question_date)
  return {
    ...{ name: id, repository: id, language: 'conversation', matches: samePath },
    queries: [{ ...{ id, text, category, targets, sessions }, ...(now !== null && { now }) }],
    material: { kind: 'conversation', turns: turns.map(({ turn }) => turn) },
  }
}

const turnsOf = (found: Entry): readonly { readonly turn: Turn; readonly isTarget: boolean }[] =>
  found.haystack_sessions.flatMap((said, position) => {
    const session = found.haystack_session_ids[position]!
    const time = timeOf(found.haystack_dates[position])
    return said.map(({ role, content, has_answer }, index) => ({
      turn: {
        // The same session may lie in a haystack twice.
        ...{ id: `${position + 1}/${session}/${index + 1}`, session, speaker: role, text: content },
        ...(time !== null && { time: new Date(time).toISOString() }),
      },
      isTarget: has_answer === true,
    }))
  })

/** `2023/05/30 (Tue) 23:11`, in UTC. */
const timeOf = (date: string | undefined): number | null => {
  const [, year, month, day, hour = '0', minute = '0'] =
    /^(\d{4})\/(\d{1,2})\/(\d{1,2})(?:\D+(\d{1,2}):(\d{2}))?/.exec(date?.trim() ?? '') ?? []
  return year === undefined
    ? null
    : Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute))
}
