/** What the head of a Markdown file says of it: tags and a date. The few spellings that note programs write, not all of YAML. */

import { readTime } from '../../text/note-times.js'

export interface FrontMatter {
  readonly tags: readonly string[]
  readonly time: number | null
}

const MOST_LINES = 200
const DATES = ['date', 'created', 'created_at', 'time', 'published', 'day']

export const readFrontMatter = (text: string): FrontMatter => {
  const fields = fieldsOf(text)
  const tags = [
    ...(fields.get('tags') ?? []),
    ...(fields.get('tag') ?? []),
    ...(fields.get('keywords') ?? []),
  ]
  const times = DATES.flatMap(name => fields.get(name)?.[0] ?? []).map(readTime)
  const time = times.find(reading => reading !== null && 'time' in reading)
  return {
    tags: [...new Set(tags.map(tag => tag.replace(/^#/, '').trim()).filter(tag => tag !== ''))],
    time: time && 'time' in time ? time.time : null,
  }
}

/** By lower-case name; a list has all its items, anything else one. */
const fieldsOf = (text: string): ReadonlyMap<string, readonly string[]> => {
  const lines = text.slice(0, 64_000).split(/\r?\n/, MOST_LINES)
  const fields = new Map<string, string[]>()
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line))
  if (lines[0]?.trimEnd() !== '---' || end === -1) return fields
  let items: string[] = []
  for (const line of lines.slice(1, end)) {
    const [, item] = /^\s*-\s+(.*)$/.exec(line) ?? []
    if (item !== undefined) items.push(unquote(item))
    const [, name, value] = /^([\w-]+)\s*:\s*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    items = valuesOf(value, name.toLowerCase())
    fields.set(name.toLowerCase(), items)
  }
  return fields
}

/** `[a, "b"]`, and `a, b` where a list is meant. */
const valuesOf = (value: string, name: string): string[] => {
  const plain = value.replace(/\s+#.*$/, '').trim()
  if (plain === '') return []
  const [, inner] = /^\[(.*)\]$/.exec(plain) ?? []
  const isList = inner !== undefined || /^(?:tags?|keywords)$/.test(name)
  return isList ? (inner ?? plain).split(',').map(unquote).filter(Boolean) : [unquote(plain)]
}

const unquote = (text: string): string => text.trim().replace(/^(["'])(.*)\1$/, '$2')
