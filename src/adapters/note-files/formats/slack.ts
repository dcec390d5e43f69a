/** One day of one channel of a Slack export, `general/2024-05-01.json`: `[{ type: "message", user, user_profile, ts, text }]`. */

import type { RawTurn } from '../conversation.js'
import { isRecord, recordsIn, type Shape, textOf, turnOf, turnsIn } from './record.js'

/** Not said by anyone: someone came, went or named the channel anew. */
const EVENTS = /^(?:channel|group)_|^(?:bot_add|bot_remove|pinned_item|reminder_add|tombstone)$/

export const isSlack = (value: unknown): boolean =>
  recordsIn(value).some(({ type, ts }) => type === 'message' && typeof ts === 'string')

/** The directory is the channel. */
export const readSlack = (value: unknown, name: string): readonly RawTurn[] => {
  const channel = name.split('/').at(-2) ?? 'channel'
  return turnsIn(
    recordsIn(value)
      .filter(({ type, subtype }) => type === 'message' && !EVENTS.test(textOf(subtype)))
      .map(message =>
        turnOf(
          {
            session: `slack/${channel}`,
            speaker: speakerOf(message),
            text: plain(textOf(message.text)),
            time: message.ts,
          },
          { id: textOf(message.ts), thread: textOf(message.thread_ts) },
        ),
      ),
  )
}

const speakerOf = ({ user_profile, username, user }: Shape): string => {
  const { display_name, real_name } = isRecord(user_profile) ? user_profile : {}
  return textOf(display_name) || textOf(real_name) || textOf(username) || textOf(user)
}

/** `<@U1|ada>` → @ada, `<https://x|a page>` → a page (https://x); three characters are written as entities. */
const plain = (text: string): string =>
  text
    .replace(/<([@#])[^|>]*\|([^>]*)>/g, '$1$2')
    .replace(/<([@#!])([^|>]*)>/g, '$1$2')
    .replace(/<([^|>]+)\|([^>]*)>/g, '$2 ($1)')
    .replace(/<(https?:[^>]*|mailto:[^>]*)>/g, '$1')
    .replace(/&(lt|gt|amp);/g, (_, entity: 'lt' | 'gt' | 'amp') => ({ lt: '<', gt: '>', amp: '&' })[entity])
