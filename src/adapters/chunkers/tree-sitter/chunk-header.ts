/** Writes `path :: container :: signature`: the line that is searched and embedded with a chunk, and never shown. */

import type { Cut } from './pack.js'
import { rowAt, type SourceText } from './source-text.js'
import type { Definition } from './unit.js'

const SIGNATURE_CHARACTERS = 200
const CONTAINER_CHARACTERS = 120
const NAME_CHARACTERS = 80
/** Outer containers say less than inner ones. */
const CONTAINERS = 3

export const headerOf = (source: SourceText, path: string, { containers, definitions }: Cut): string => {
  const around = containers.slice(-CONTAINERS).map(container => withoutParameters(source, container))
  return [path, ...around, labelOf(source, definitions)].filter(part => part !== '').join(' :: ')
}

/** One definition is worth its signature; of several only the names fit, but a nameless one (`impl`) says more. */
const labelOf = (source: SourceText, definitions: readonly Definition[]): string => {
  const [first, second] = new Set(definitions.filter(({ alias }) => !alias))
  const last = definitions.at(-1)
  if (first && !second) return signatureOf(source, first, SIGNATURE_CHARACTERS, last)
  const names = definitions.map(label =>
    label.kind ? label.name : signatureOf(source, label, NAME_CHARACTERS),
  )
  return shorten([...new Set(names)].join(', '), SIGNATURE_CHARACTERS)
}

/** Around a chunk the name of a function is enough; what a class is made from is worth its words. */
const withoutParameters = (source: SourceText, container: Definition): string => {
  const signature = signatureOf(source, container, CONTAINER_CHARACTERS)
  if (!CALLABLE.has(container.kind)) return signature
  const bracket = signature.indexOf('(', signature.indexOf(container.name) + container.name.length)
  return bracket < 0 ? signature : signature.slice(0, bracket).replace(/[\s=:]+$/, '')
}

const CALLABLE = new Set(['function', 'method', 'constructor', 'macro'])

/** The lines its names stand on, and the lines after them while a bracket of the parameter list is open. */
const signatureOf = (
  source: SourceText,
  definition: Definition,
  limit: number,
  last = definition,
): string => {
  if (definition.kind === 'heading') return shorten(definition.name, limit)
  const { text, offsets } = source
  const row = rowAt(source, definition.offset)
  const start = Math.max(offsets[row]!, definition.offset - CONTAINER_CHARACTERS)
  let end = Math.min(offsets[Math.max(row, last.row) + 1]! - 1, start + 2 * limit)
  while (
    end < text.length &&
    end - start < 2 * limit &&
    openBrackets(text.slice(definition.offset, end)) > 0
  ) {
    const next = text.indexOf('\n', end + 1)
    end = next < 0 ? text.length : next
  }
  const line = text.slice(start, end).replace(/\s+/g, ' ').trim()
  return shorten(line.replace(/\s*(?:[{(<=:]|=>|->|\bdo|\bwhere|\bthen)$/, ''), limit)
}

const openBrackets = (text: string): number => {
  let open = 0
  for (const sign of text) {
    if (sign === '(') open += 1
    else if (sign === ')') open -= 1
  }
  return open
}

const shorten = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const cut =
    text.charCodeAt(limit - 2) >= 0xd800 && text.charCodeAt(limit - 2) <= 0xdbff ? limit - 2 : limit - 1
  return `${text.slice(0, cut).trimEnd()}…`
}
