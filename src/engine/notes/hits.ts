/** Candidates of the notes as hits: the notebook says who, when and where, and what was said before and after. */

import type { Hit } from '../../core/answers.js'
import type { NeighbourTurn, Notebook, NoteDocument, NoteFacts, Turn } from '../../core/notes.js'
import type { Candidate } from '../../core/questions.js'
import { questionWords } from '../../present/question-words.js'
import { readTurn } from '../../text/turns.js'
import { toHit } from '../search.js'
import type { RecallRequest } from './api.js'

export const noteHits = async (
  candidates: readonly Candidate[],
  notebook: Notebook,
  question: string,
  { filter = {}, explain = false }: RecallRequest,
): Promise<readonly Hit[]> => {
  const pages = new Map<string, Page | null>()
  const words = questionWords(question)
  const hits: Hit[] = []
  for (const candidate of candidates) {
    const { document: name } = candidate.chunk
    if (!pages.has(name)) pages.set(name, openPage(await notebook.get(name)))
    const page = pages.get(name)
    // Forgotten since it was indexed: it must not be shown any more.
    if (!page) continue
    const hit = toNoteHit(toHit(candidate, explain, words), page)
    if (hit && isWithin(hit.note!.time, filter.since, filter.until)) hits.push(hit)
  }
  return hits
}

interface Page {
  readonly note: NoteDocument
  /** Of a session: a turn a line. */
  readonly lines: readonly string[]
}

const openPage = (note: NoteDocument | null): Page | null =>
  note && { note, lines: note.form === 'session' ? note.text.split('\n') : [] }

const toNoteHit = (hit: Hit, { note, lines }: Page): Hit | null => {
  const facts = { form: note.form, tags: note.tags, ...(note.origin !== null && { origin: note.origin }) }
  if (note.form !== 'session')
    return {
      ...hit,
      note: {
        ...facts,
        ...(note.form === 'note' && { id: note.name.slice(note.name.indexOf('/') + 1) }),
        time: iso(note.time),
      },
    }
  const turn = turnAt(lines, hit.startLine)
  if (turn === null || turn.text !== hit.text) return null
  const said: NoteFacts = {
    ...facts,
    session: turn.session,
    turn: hit.startLine,
    ...(turn.id !== undefined && { id: turn.id }),
    speaker: turn.speaker,
    time: turn.time ?? null,
  }
  return { ...hit, note: said, neighbours: neighboursOf(lines, hit.startLine) }
}

const neighboursOf = (lines: readonly string[], turn: number): readonly NeighbourTurn[] =>
  [turn - 1, turn + 1].flatMap(number => {
    const near = turnAt(lines, number)
    return near === null
      ? []
      : [{ turn: number, speaker: near.speaker, time: near.time ?? null, text: near.text }]
  })

const turnAt = (lines: readonly string[], turn: number): Turn | null => {
  const line = lines[turn - 1]
  return line === undefined ? null : readTurn(line)
}

const iso = (time: number): string | null => (time === 0 ? null : new Date(time).toISOString())

const isWithin = (time: string | null, since: number | undefined, until: number | undefined): boolean => {
  if (since === undefined && until === undefined) return true
  if (time === null) return false
  const at = Date.parse(time)
  return (since === undefined || at >= since) && (until === undefined || at <= until)
}
