/**
 * One value of a git configuration file, read as data: nothing is included, expanded or run. A repository's configuration may
 * come from a stranger, and git itself would act on it.
 */

import { lstatSync, readFileSync } from 'node:fs'

const LARGEST_BYTES = 1 << 20

/** The last value of `section.key`, as git counts; undefined when the file does not set it or cannot be read. */
export const readConfigValue = (file: string, section: string, key: string): string | undefined => {
  try {
    const status = lstatSync(file)
    if (!status.isFile() || status.size > LARGEST_BYTES) return undefined
    return configValue(readFileSync(file, 'utf8'), section, key)
  } catch {
    return undefined
  }
}

export const configValue = (text: string, section: string, key: string): string | undefined => {
  let isInside = false
  let value: string | undefined
  const continued = text.replaceAll('\r\n', '\n').replace(/((?:^|[^\\])(?:\\\\)*)\\\n/g, '$1')
  for (const line of continued.split('\n')) {
    const header = /^\s*\[\s*([^\]"]*?)\s*("(?:[^"\\]|\\.)*")?\s*\]/.exec(line)
    if (header !== null)
      isInside = header[2] === undefined && header[1]!.toLowerCase() === section.toLowerCase()
    // A setting may stand on the line of its section.
    const setting = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(line.slice(header?.[0].length ?? 0))
    if (isInside && setting !== null && setting[1]!.toLowerCase() === key.toLowerCase())
      value = plain(setting[2] ?? '')
  }
  return value
}

/** Without quotes, escapes and the comment behind it. */
const plain = (written: string): string => {
  let value = ''
  let isQuoted = false
  let kept = 0
  for (let at = 0; at < written.length; at++) {
    const character = written[at]!
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\\') value += ESCAPES[written[++at] ?? ''] ?? written[at] ?? ''
    else if ((character === '#' || character === ';') && !isQuoted) break
    else value += character
    // Blanks at the end count only inside quotes.
    if (isQuoted || !/\s/.test(character)) kept = value.length
  }
  return value.slice(0, kept)
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' }
