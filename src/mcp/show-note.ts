/** A hit from the notes as an agent gets it: who said it when, and what was said before and after. */

import type { Hit } from '../core/answers.js'
import { shortTime } from '../present/note-text.js'
import type { Detail } from '../present/text.js'
import type { Shown } from './budget.js'
import { clean, cleanLine } from './fence.js'
import { cut, flag, parts, note as remark } from './show-hit.js'

const LONGEST_NEIGHBOUR = 300
const LONGEST_TEXT = 2_000
const LONGEST_COMPACT = 160

/** The text of the hit is clean already. */
export const showNote = (hit: Hit, detail: Detail): Shown => {
  const { form, session, turn, speaker, time, tags, id } = hit.note!
  const warning = flag(hit.text)
  const text =
    detail === 'full' ? hit.text : cut(hit.text, detail === 'compact' ? LONGEST_COMPACT : LONGEST_TEXT)
  const said = {
    ...(session !== undefined && { session: cleanLine(session), turn }),
    ...(speaker !== undefined && { speaker: cleanLine(speaker) }),
  }
  const neighbours =
    detail === 'compact'
      ? []
      : (hit.neighbours ?? []).map(near => ({
          ...{ turn: near.turn, speaker: cleanLine(near.speaker) },
          text: detail === 'full' ? clean(near.text) : cut(clean(near.text), LONGEST_NEIGHBOUR),
        }))
  const place = said.session === undefined ? cleanLine(hit.path) : `${said.session}, turn ${turn}`
  const by = said.speaker === undefined ? '' : ` ${said.speaker}`
  const head = `${shortTime(time)}${by} (${place}) [${hit.id}]${remark(warning)}`
  const near = (isWanted: (turn: number) => boolean): readonly string[] =>
    neighbours.filter(({ turn }) => isWanted(turn)).map(({ speaker, text }) => `  ${speaker}: ${text}`)
  return {
    data: {
      ...{
        id: hit.id,
        kind: hit.kind,
        path: cleanLine(hit.path),
        startLine: hit.startLine,
        endLine: hit.endLine,
      },
      ...{ form, ...said, time, tags: tags.map(cleanLine) },
      ...(form === 'note' && id !== undefined && { note: cleanLine(id) }),
      ...{ score: hit.score, text, ...(neighbours.length > 0 && { neighbours }), ...warning },
      ...parts(hit, detail),
    },
    text:
      detail === 'compact'
        ? `${head}: ${text.replace(/\s+/g, ' ')}`
        : [
            head,
            ...near(other => other < hit.startLine),
            text,
            ...near(other => other > hit.startLine),
            '',
          ].join('\n'),
  }
}
