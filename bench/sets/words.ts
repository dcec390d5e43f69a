/**
 * Word → the only file that says it: what people type who would otherwise type `grep`. The words are drawn from the repositories of
 * the code-search set; a word counts if its beginning stands in no other file, so that there is one right answer.
 */

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { languageOf } from '#dist/text/language.js'
import { splitIdentifier } from '#dist/text/split-identifier.js'
import { loadCodeSearch } from './code-search.js'
import type { Places } from './places.js'
import type { BenchSet, Corpus } from './shape.js'

const WORDS_OF_A_REPOSITORY = 20
const SHORTEST_WORD = 6
const LARGEST_FILE = 300_000

export const loadWords = async (places: Places, scratch: string): Promise<BenchSet> => {
  const set = await loadCodeSearch(places)
  const corpora: Corpus[] = []
  for (const corpus of set.corpora) {
    const words = await wordsIn(await corpus.prepare(scratch))
    const queries = words.map(({ word, path }) => ({
      ...{ id: `${corpus.name}:${word}`, text: word, category: 'word' },
      targets: [{ path, grade: 1 }],
    }))
    corpora.push({ ...corpus, queries, matches: (place, target) => place.path === target.path })
  }
  return { ...set, name: 'words', corpora }
}

const wordsIn = async (root: string): Promise<{ word: string; path: string }[]> => {
  const texts = new Map<string, string>()
  for (const path of (await readdir(root, { recursive: true })).sort()) {
    if (/(?:^|\/)\./.test(path)) continue
    const status = await stat(join(root, path))
    if (!status.isFile() || status.size > LARGEST_FILE) continue
    const text = await readFile(join(root, path), 'utf8')
    if (!text.includes('\0')) texts.set(path, text)
  }
  const places = new Map<string, string | null>()
  for (const [path, text] of texts) {
    if (['text', 'markdown', 'json', 'yaml'].includes(languageOf(path, ''))) continue
    for (const word of new Set(text.match(/\b[A-Za-z_]+\b/g) ?? []))
      if (isWord(word)) places.set(word, places.has(word) ? null : path)
  }
  const folded = [...texts.values()].map(text => text.toLowerCase())
  const drawn: { word: string; path: string }[] = []
  for (const [word, path] of shuffled([...places])) {
    if (drawn.length === WORDS_OF_A_REPOSITORY) break
    const beginning = word.toLowerCase().slice(0, Math.max(5, word.length - 3))
    if (path !== null && folded.filter(text => text.includes(beginning)).length === 1)
      drawn.push({ word, path })
  }
  return drawn
}

/** Long enough to be meant, and not the letters of a key or of packed data. */
const isWord = (word: string): boolean => {
  const parts = splitIdentifier(word)
  return word.length >= SHORTEST_WORD && word.length / Math.max(1, parts.length) >= 3.5
}

/** Always in the same order. */
const shuffled = <Item>(items: readonly Item[]): Item[] => {
  const mixed = [...items]
  let seed = 7
  for (let last = mixed.length - 1; last > 0; last--) {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    const other = seed % (last + 1)
    ;[mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!]
  }
  return mixed
}
