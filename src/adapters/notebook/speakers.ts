/** Who speaks in the sessions of a notebook. Read from the lines themselves, and again only when something changed. */

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { stampOf } from './page.js'

const SPEAKER = /"speaker":("(?:[^"\\]|\\.)*")/g

const remembered = new WeakMap<
  DatabaseSyncInstance,
  { readonly stamp: string; readonly speakers: readonly string[] }
>()

export const everySpeaker = (open: DatabaseSyncInstance): readonly string[] => {
  const stamp = stampOf(open)
  const known = remembered.get(open)
  if (known?.stamp === stamp) return known.speakers
  const written = new Set<string>()
  for (const row of open.prepare(`SELECT text FROM notes WHERE form = 'session'`).iterate())
    for (const [, name] of textOf(row as unknown as { text: Uint8Array }).matchAll(SPEAKER))
      written.add(name!)
  const speakers = [...written].map((name): string => JSON.parse(name)).filter(name => name !== '')
  remembered.set(open, { stamp, speakers })
  return speakers
}

const textOf = ({ text }: { readonly text: Uint8Array }): string => Buffer.from(text).toString('utf8')
