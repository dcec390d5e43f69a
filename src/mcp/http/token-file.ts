/** The token that clients from elsewhere have to know: in a file that only its owner reads, never on a command line. */

import { readFileSync, statSync } from 'node:fs'
import { QuarryError } from '../../core/errors.js'

const SHORTEST = 32
const LARGEST_FILE = 4_096

export const readTokenFile = (file: string): string => {
  const refuse = (why: string, cause?: unknown): never => {
    throw new QuarryError('BAD_CONFIG', `The token file ${file} ${why}`, {
      hint: `(umask 077 && openssl rand -hex 32 > ${JSON.stringify(file)})`,
      cause,
    })
  }
  let text: string
  try {
    const status = statSync(file)
    if (!status.isFile() || status.size > LARGEST_FILE) return refuse('is not a small file')
    if (process.platform !== 'win32' && (status.mode & 0o077) !== 0) return refuse('can be read by others')
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof QuarryError) throw error
    return refuse('cannot be read', error)
  }
  if (text.length < SHORTEST || /\s/.test(text))
    return refuse(`does not hold one word of ${SHORTEST} or more letters`)
  return text
}
