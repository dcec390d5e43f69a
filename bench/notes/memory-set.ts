/** The memory set: conversations as files that `quarry notes add` takes, and questions with the turns that answer them. */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { dataReader } from '#dist/measuring/sets/read-data.js'
import { findPlaces } from '../sets/places.js'

const turnRow = z.object({
  _id: z.string(),
  conversation: z.string(),
  session: z.string(),
  date_time: z.string(),
  speaker: z.string(),
  text: z.string(),
})
const questionRow = z.object({
  _id: z.string(),
  conversation: z.string(),
  category_name: z.string(),
  text: z.string(),
  relevant_turns: z.array(z.string()),
})

export interface MemoryQuestion {
  readonly id: string
  readonly category: string
  readonly text: string
  /** Ids of the turns that answer it. */
  readonly turns: readonly string[]
}

export interface Conversation {
  readonly name: string
  readonly questions: readonly MemoryQuestion[]
  /** Writes the turns as JSON Lines into a directory of its own, and says where. */
  write(scratch: string): Promise<{ readonly root: string; readonly file: string }>
}

export interface MemorySet {
  readonly conversations: readonly Conversation[]
  readonly hash: string
}

export const loadMemory = async (): Promise<MemorySet> => {
  const reader = dataReader(join(findPlaces().data, 'memory'))
  const turns = await reader.jsonLines('turns.jsonl', turnRow)
  const questions = await reader.jsonLines('queries.jsonl', questionRow)
  const names = [...new Set(turns.map(({ conversation }) => conversation))].sort()
  return {
    hash: reader.hash(),
    conversations: names.map(name => ({
      name,
      questions: questions
        .filter(({ conversation, relevant_turns }) => conversation === name && relevant_turns.length > 0)
        .map(({ _id, category_name, text, relevant_turns }) => ({
          ...{ id: _id, category: category_name, text, turns: relevant_turns },
        })),
      async write(scratch) {
        const root = join(scratch, 'memory', name)
        const file = join(root, `${name}.jsonl`)
        const lines = turns
          .filter(({ conversation }) => conversation === name)
          .map(({ _id, session, date_time, speaker, text }) =>
            JSON.stringify({
              session: `${name}-${session}`,
              time: isoTime(date_time),
              speaker,
              text,
              id: _id,
            }),
          )
        await mkdir(root, { recursive: true })
        await writeFile(file, `${lines.join('\n')}\n`)
        return { root, file }
      },
    })),
  }
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)

/** `1:56 pm on 8 May, 2023`. */
const isoTime = (text: string): string => {
  const [, hour, minute, half, day, month, year] =
    /^(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)$/.exec(text.trim()) ?? []
  if (year === undefined) throw new Error(`${text} is not a time as the set writes it`)
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
  return new Date(
    Date.UTC(Number(year), MONTHS.indexOf(month!.toLowerCase()), Number(day), hours, Number(minute)),
  ).toISOString()
}
