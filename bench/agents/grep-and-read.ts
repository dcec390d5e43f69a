/**
 * What an agent does without an index, as semble models it: look for each word of the question in every file (whole text, either
 * case), then read the files that hold most of the words, whole, one after the other. Written here instead of calling ripgrep,
 * which gives the same files: a string is looked for, and `.git` and binary files are passed over. Grepping itself costs nothing.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isStopWord } from '#dist/text/stop-words.js'

export interface ReadFile {
  readonly path: string
  readonly text: string
}

interface KeptFile extends ReadFile {
  readonly lowered: string
}

const LARGEST_FILE = 1_000_000
const SHORTEST_WORD = 3

export const openFiles = (directory: string): readonly KeptFile[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !`${entry.parentPath}/`.includes('/.git/'))
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
    .flatMap(path => {
      const content = readFileSync(path)
      if (content.length > LARGEST_FILE || content.includes(0)) return []
      const text = content.toString('utf8')
      return [{ path: relative(directory, path), text, lowered: text.toLowerCase() }]
    })

/** The files in the order they are read: most words first, then most occurrences. */
export const grepOrder = (files: readonly KeptFile[], question: string): readonly ReadFile[] => {
  const words = grepWords(question)
  return files
    .map(file => {
      const counts = words.map(word => file.lowered.split(word).length - 1)
      return {
        file,
        words: counts.filter(count => count > 0).length,
        matches: counts.reduce((sum, count) => sum + count, 0),
      }
    })
    .filter(({ words }) => words > 0)
    .sort((a, b) => b.words - a.words || b.matches - a.matches)
    .map(({ file }) => file)
}

export const grepWords = (question: string): readonly string[] => [
  ...new Set(
    (question.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).filter(
      word => word.length >= SHORTEST_WORD && !isStopWord(word),
    ),
  ),
]
