/** Reads JSON with comments and trailing commas, as editors keep their settings, and remembers where everything stands. */

import { QuarryError } from '../../core/errors.js'

export interface Member {
  readonly key: string
  /** Where its key begins, and its value ends. */
  readonly start: number
  readonly value: Located
}

/** A value and its place: from `start` up to, not including, `end`. Members only of an object. */
export interface Located {
  readonly start: number
  readonly end: number
  readonly value: unknown
  readonly members?: readonly Member[]
}

const DEEPEST = 100

export const readJson = (text: string): Located => {
  let at = text.startsWith('\uFEFF') ? 1 : 0

  const fail = (): never => {
    const line = text.slice(0, at).split('\n').length
    throw new QuarryError('BAD_CONFIG', `It cannot be read as JSON at line ${line}`)
  }
  const skip = (): void => {
    // Blanks, and comments of both kinds.
    const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
    blank.lastIndex = at
    blank.exec(text)
    at = blank.lastIndex
  }
  const scalar = (): Located => {
    const token = /"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y
    token.lastIndex = at
    const found = token.exec(text)?.[0]
    if (found === undefined) return fail()
    const start = at
    try {
      const value: unknown = JSON.parse(found)
      at += found.length
      return { start, end: at, value }
    } catch {
      return fail()
    }
  }
  /** Items up to the closing bracket, with commas between them and perhaps behind the last. */
  const items = (close: string, one: () => void): void => {
    at++
    skip()
    while (text[at] !== close) {
      one()
      skip()
      if (text[at] === ',') {
        at++
        skip()
      } else if (text[at] !== close) fail()
    }
    at++
  }
  const read = (depth: number): Located => {
    if (depth > DEEPEST) return fail()
    const start = at
    if (text[at] === '{') {
      const members: Member[] = []
      items('}', () => {
        const key = scalar()
        skip()
        if (typeof key.value !== 'string' || text[at] !== ':') fail()
        at++
        skip()
        members.push({ key: String(key.value), start: key.start, value: read(depth + 1) })
      })
      const entries = members.map(({ key, value }) => [key, value.value])
      return { start, end: at, value: Object.fromEntries(entries), members }
    }
    if (text[at] === '[') {
      const values: unknown[] = []
      items(']', () => values.push(read(depth + 1).value))
      return { start, end: at, value: values }
    }
    return scalar()
  }

  skip()
  const root = read(0)
  skip()
  return at === text.length ? root : fail()
}
