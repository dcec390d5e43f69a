/** Files and directories as notes to be: each file is read, recognised and taken apart, one at a time. */

import { extname } from 'node:path'
import { readTime } from '../../text/note-times.js'
import { draftsOf, type LineRemark, type RawTurn, readConversation } from './conversation.js'
import type { NoteFile, NoteFormat, Remark, SessionDraft, TextDraft } from './draft.js'
import { isChatGpt, readChatGpt } from './formats/chatgpt.js'
import { isClaude, readClaude } from './formats/claude.js'
import { isSlack, readSlack } from './formats/slack.js'
import { isWhatsApp, readWhatsApp } from './formats/whatsapp.js'
import { readFrontMatter } from './front-matter.js'
import { readText } from './read-bytes.js'
import { FORMAT_OF, type FoundFile, filesAt } from './walk.js'

export type {
  NoteFile,
  NoteFormat,
  Remark,
  SessionDraft,
  TextDraft,
} from './draft.js'

export function* readNoteFiles(given: string, format?: NoteFormat): Generator<NoteFile> {
  for (const file of filesAt(given)) yield readFile(file, format)
}

const readFile = (file: FoundFile, format: NoteFormat | undefined): NoteFile => {
  const { path, name } = file
  const refused = (message: string): NoteFile => ({
    path,
    name,
    drafts: [],
    remarks: [{ path, message, isTaken: false }],
  })
  if (file.problem !== undefined) return refused(file.problem)
  const ending = FORMAT_OF.get(extname(path).toLowerCase())
  const read = readText(path)
  if ('refusal' in read) return refused(read.refusal)
  const text = read.text
  if (text.trim() === '') return refused('it is empty')
  const mended: readonly Remark[] = read.isMended
    ? [{ path, message: 'some bytes are not UTF-8; they became U+FFFD', isTaken: true }]
    : []
  const chosen = format ?? recognise(text, ending)
  if (chosen === null) return refused('it is no conversation in a shape that is known: see docs/notes.md')
  if (JSON_READERS[chosen] !== undefined && parse(text) === undefined) return refused('it is not JSON')
  const { drafts, remarks } = READERS[chosen](text, name, read.modified)
  return { path, name, drafts, remarks: [...mended, ...remarks.map(remark => ({ path, ...remark }))] }
}

type Reader = (
  text: string,
  name: string,
  modified: number,
) => { readonly drafts: readonly (TextDraft | SessionDraft)[]; readonly remarks: readonly LineRemark[] }

const READERS: Readonly<Record<NoteFormat, Reader>> = {
  markdown: (text, name, modified) => {
    const { tags, time } = readFrontMatter(text)
    return {
      drafts: [{ form: 'markdown', text, tags, time: time ?? dateInName(name), modified }],
      remarks: [],
    }
  },
  text: (text, name, modified) => ({
    drafts: [{ form: 'text', text, tags: [], time: dateInName(name), modified }],
    remarks: [],
  }),
  jsonl: (text, name) => readConversation(text, nameWithoutEnding(name)),
  chatgpt: (text, name) => conversationOf(JSON_READERS.chatgpt!(parse(text), name)),
  claude: (text, name) => conversationOf(JSON_READERS.claude!(parse(text), name)),
  slack: (text, name) => conversationOf(JSON_READERS.slack!(parse(text), name)),
  whatsapp: (text, name) => conversationOf(readWhatsApp(text, name)),
}

const JSON_READERS: Readonly<
  Partial<Record<NoteFormat, (value: unknown, name: string) => readonly RawTurn[]>>
> = {
  chatgpt: readChatGpt,
  claude: readClaude,
  slack: readSlack,
}

const conversationOf = (turns: readonly RawTurn[]): ReturnType<Reader> => {
  const remarks: LineRemark[] = []
  const drafts = draftsOf(turns, remarks)
  return drafts.length > 0
    ? { drafts, remarks }
    : { drafts, remarks: [{ message: 'nobody says anything in it', isTaken: false }] }
}

/** Undefined where it is none. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Null where nothing fits. Whatever is named by hand and has no known ending is text. */
const recognise = (text: string, ending: NoteFormat | 'json' | undefined): NoteFormat | null => {
  if (ending === 'json') {
    const value = parse(text)
    return isChatGpt(value) ? 'chatgpt' : isClaude(value) ? 'claude' : isSlack(value) ? 'slack' : null
  }
  if ((ending ?? 'text') === 'text' && isWhatsApp(text)) return 'whatsapp'
  return ending ?? 'text'
}

/** Diaries are called by their day: `2024-05-01.md`, `2024-05-01-a-walk.txt`. */
const dateInName = (name: string): number | null => {
  const [day] = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/.exec(name.split('/').at(-1)!) ?? []
  const reading = readTime(day)
  return reading && 'time' in reading ? reading.time : null
}

const nameWithoutEnding = (name: string): string =>
  name
    .split('/')
    .at(-1)!
    .replace(/\.[^.]*$/, '') || name
