/** The flags that only notes have. */

import { type Command, InvalidArgumentError } from 'commander'
import type { RecallRequest } from '../index.js'
import { parseMoment } from '../text/moments.js'
import { addAnswerFlags, collect, collectNames, moment, wholeNumber } from './flags.js'

export interface RecallFlags {
  readonly session?: string
  readonly tag?: readonly string[]
  readonly speaker?: string
  readonly now?: number
}

export const addRecallFlags = (command: Command): Command =>
  addAnswerFlags(command)
    .option('--session <name>', 'only this conversation')
    .option('--tag <name>', 'only what has this tag; repeat it or separate by commas', collectNames)
    .option('--speaker <name>', 'only what this one said')
    .option('--path <glob>', "only notes of these names, such as 'diary/**'; repeatable", collect)
    .option('--now <when>', 'what "last week" in the question is counted from', aMoment)
    .option(
      '--max-per-session <n>',
      'hits of one conversation, 0 to 1000; 0 is any number',
      wholeNumber(0, 1000),
    )

export const recallOf = ({ session, tag, speaker, now }: RecallFlags): Partial<RecallRequest> => ({
  ...(session !== undefined && { session }),
  ...(tag !== undefined && { tags: tag }),
  ...(speaker !== undefined && { speaker }),
  ...(now !== undefined && { now }),
})

export const aMoment = (text: string): number => moment('since')(text)

/** A time that a note is of: an instant or a day. */
export const noteTime = (text: string): number => {
  const time = parseMoment(text, 'since', Date.now())
  if (time !== null) return time
  throw new InvalidArgumentError('Write 2024-05-01, an ISO time, yesterday or 3d.')
}
