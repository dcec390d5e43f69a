/** Question → turn of a conversation: `turns.jsonl` and `queries.jsonl`. Each conversation is a notebook of its own. */

import { basename, resolve } from 'node:path'
import { z } from 'zod'
import type { Turn } from '../../core/notes.js'
import { readTime } from '../../text/note-times.js'
import { samePath } from '../metrics/match.js'
import { dataReader } from './read-data.js'
import { type BenchQuery, type LabelledCorpus, type LabelledSet, type LeftOut, withChosen } from './shape.js'

const turnRow = z.object({
  _id: z.string().min(1),
  conversation: z.string(),
  session: z.string(),
  date_time: z.string().optional(),
  speaker: z.string().default(''),
  text: z.string(),
})
type TurnRow = z.infer<typeof turnRow>
const queryRow = z.object({
  _id: z.string(),
  conversation: z.string(),
  text: z.string(),
  category_name: z.string().default(''),
  relevant_turns: z.array(z.string()),
  relevant_sessions: z.array(z.string()).default([]),
})

export const readConversations = async (directory: string): Promise<LabelledSet> => {
  const reader = dataReader(directory)
  const conversations = byConversation(await reader.jsonLines('turns.jsonl', turnRow))
  const rows = await reader.jsonLines('queries.jsonl', queryRow)
  const leftOut: LeftOut[] = []
  const corpora: LabelledCorpus[] = [...conversations].map(([name, said]) => {
    const turns = said.map(asTurn)
    const now = turns.reduce((latest, { time }) => Math.max(latest, Date.parse(time ?? '') || 0), 0)
    return {
      ...{ name, repository: name, language: 'conversation', matches: samePath },
      queries: rows
        .filter(({ conversation }) => conversation === name)
        .map((row): BenchQuery => ({ ...asQuery(row), ...(now > 0 && { now }) }))
        .filter(({ targets }) => targets.length > 0),
      material: { kind: 'conversation', turns },
    }
  })
  for (const { _id, conversation, relevant_turns } of rows) {
    if (!conversations.has(conversation))
      leftOut.push({ id: _id, reason: `there are no turns of conversation ${conversation}` })
    else if (relevant_turns.length === 0) leftOut.push({ id: _id, reason: 'no turn holds the answer' })
  }
  return {
    ...{ name: basename(resolve(directory)), layout: 'conversations', hash: reader.hash(), leftOut },
    questions: corpora.flatMap(({ queries }) => queries),
    corpora: chosen => withChosen(corpora, chosen),
    remarks: ['a question is asked on the day of the last turn of its conversation'],
  }
}

const byConversation = (rows: readonly TurnRow[]): ReadonlyMap<string, readonly TurnRow[]> => {
  const conversations = new Map<string, TurnRow[]>()
  for (const row of rows) {
    const said = conversations.get(row.conversation)
    if (said) said.push(row)
    else conversations.set(row.conversation, [row])
  }
  return conversations
}

const asQuery = (row: z.infer<typeof queryRow>): BenchQuery => ({
  ...{ id: row._id, text: row.text, category: row.category_name, sessions: row.relevant_sessions },
  targets: row.relevant_turns.map(path => ({ path, grade: 1 })),
})

const asTurn = ({ _id, session, date_time, speaker, text }: TurnRow): Turn => {
  const read = readTime(date_time)
  const said = `${speaker}: `
  return {
    ...{ id: _id, session, speaker },
    // Who speaks is a field of its own; some sets say it in the text too.
    text: speaker !== '' && text.startsWith(said) ? text.slice(said.length) : text,
    ...(read !== null && 'time' in read && { time: new Date(read.time).toISOString() }),
  }
}
