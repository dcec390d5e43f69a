/** What strangers' JSON is asked: nothing in it is taken for granted. */

import type { RawTurn } from '../conversation.js'

export type Shape = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Shape =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const recordsIn = (value: unknown): readonly Shape[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A turn of an export that is not read line by line. Null where nothing was said. */
export const turnOf = (
  said: { readonly session: string; readonly speaker: string; readonly text: string; readonly time: unknown },
  extra: Readonly<Record<string, unknown>>,
): RawTurn | null => {
  const kept = Object.entries(extra).filter(([, value]) => value !== undefined && value !== '')
  return said.text.trim() === '' || said.session === ''
    ? null
    : { line: 0, ...said, text: said.text.toWellFormed(), extra: Object.fromEntries(kept) }
}

export const turnsIn = (turns: readonly (RawTurn | null)[]): readonly RawTurn[] =>
  turns.filter(turn => turn !== null)
