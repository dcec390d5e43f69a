/**
 * `conversations.json` of a ChatGPT export: `[{ id, title, current_node, mapping: { node: { parent, message } } }]`. A message that
 * was edited has branches; the one that was shown last is taken.
 */

import type { RawTurn } from '../conversation.js'
import { isRecord, recordsIn, type Shape, textOf, turnOf, turnsIn } from './record.js'

export const isChatGpt = (value: unknown): boolean =>
  recordsIn(value).some(({ mapping }) => isRecord(mapping))

export const readChatGpt = (value: unknown): readonly RawTurn[] =>
  recordsIn(value).flatMap(conversation => {
    const { mapping, title } = conversation
    const id = textOf(conversation.conversation_id) || textOf(conversation.id) || textOf(title)
    if (!isRecord(mapping)) return []
    return turnsIn(
      branchOf(mapping, conversation.current_node).map(message =>
        turnOf(
          {
            ...{ session: `chatgpt/${id}`, speaker: speakerOf(message), text: wordsOf(message) },
            time: message.create_time ?? conversation.create_time,
          },
          { id: textOf(message.id), title: textOf(title) },
        ),
      ),
    )
  })

/** From the first message to the current one. Without a current one, the node that nothing follows. */
const branchOf = (mapping: Shape, current: unknown): readonly Shape[] => {
  const nodes = new Map(
    Object.entries(mapping).filter((entry): entry is [string, Shape] => isRecord(entry[1])),
  )
  const parents = new Set([...nodes.values()].map(({ parent }) => parent))
  const last = nodes.has(textOf(current))
    ? textOf(current)
    : [...nodes.keys()].findLast(id => !parents.has(id))
  const branch: Shape[] = []
  const seen = new Set<string>()
  for (
    let at = last;
    at !== undefined && nodes.has(at) && !seen.has(at);
    at = textOf(nodes.get(at)!.parent)
  ) {
    seen.add(at)
    const { message } = nodes.get(at)!
    if (isRecord(message)) branch.unshift(message)
  }
  return branch.filter(message => speakerOf(message) === 'user' || speakerOf(message) === 'assistant')
}

const speakerOf = ({ author }: Shape): string => (isRecord(author) ? textOf(author.role) : '')

/** Pictures and files have parts of their own, which are not text. */
const wordsOf = ({ content }: Shape): string =>
  isRecord(content) && Array.isArray(content.parts)
    ? content.parts.map(textOf).filter(Boolean).join('\n')
    : ''
