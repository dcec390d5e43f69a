/** Who speaks in the sessions of a notebook. Read from the lines themselves, of each session again only when it changed. */

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { stampOf, statement } from './page.js'

const SPEAKER = /"speaker":("(?:[^"\\]|\\.)*")/g

interface Known {
  readonly stamp: string
  readonly speakers: readonly string[]
  /** By the stamp of each session. */
  readonly bySession: ReadonlyMap<string, readonly string[]>
}

const remembered = new WeakMap<DatabaseSyncInstance, Known>()

export const everySpeaker = (open: DatabaseSyncInstance): readonly string[] => {
  const stamp = stampOf(open)
  const known = remembered.get(open)
  if (known?.stamp === stamp) return known.speakers
  const bySession = new Map<string, readonly string[]>()
  const everyone = new Set<string>()
  for (const row of statement(open, `SELECT name, stamp FROM notes WHERE form = 'session'`).all()) {
    const { name, stamp: session } = row as unknown as { readonly name: string; readonly stamp: string }
    const speakers = known?.bySession.get(session) ?? speakersIn(open, name)
    bySession.set(session, speakers)
    for (const speaker of speakers) everyone.add(speaker)
  }
  const speakers = [...everyone].filter(name => name !== '')
  remembered.set(open, { stamp, speakers, bySession })
  return speakers
}

const speakersIn = (open: DatabaseSyncInstance, name: string): readonly string[] => {
  const row = statement(open, 'SELECT text FROM notes WHERE name = ?').get(name)
  const { text } = row as unknown as { readonly text: Uint8Array }
  const written = new Set<string>()
  for (const [, speaker] of Buffer.from(text).toString('utf8').matchAll(SPEAKER)) written.add(speaker!)
  return [...written].map((speaker): string => JSON.parse(speaker))
}
