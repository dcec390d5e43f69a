/** `conversations.json` of a Claude export: `[{ uuid, name, chat_messages: [{ uuid, sender, created_at, text, content }] }]`. */

import type { RawTurn } from '../conversation.js'
import { recordsIn, type Shape, textOf, turnOf, turnsIn } from './record.js'

export const isClaude = (value: unknown): boolean =>
  recordsIn(value).some(({ chat_messages }) => Array.isArray(chat_messages))

export const readClaude = (value: unknown): readonly RawTurn[] =>
  recordsIn(value).flatMap(({ uuid, name, created_at, chat_messages }) =>
    turnsIn(
      recordsIn(chat_messages).map(message =>
        turnOf(
          {
            ...{
              session: `claude/${textOf(uuid) || textOf(name)}`,
              speaker: textOf(message.sender),
              text: wordsOf(message),
            },
            time: message.created_at ?? created_at,
          },
          { id: textOf(message.uuid), title: textOf(name) },
        ),
      ),
    ),
  )

/** Older exports have the text alone, newer ones the parts of it. */
const wordsOf = ({ text, content }: Shape): string =>
  textOf(text) ||
  recordsIn(content)
    .filter(({ type }) => type === 'text')
    .map(part => textOf(part.text))
    .join('\n')
