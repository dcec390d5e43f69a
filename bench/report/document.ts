/** Puts generated tables into documents, between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`. */

import { readFile, writeFile } from 'node:fs/promises'

/** Replaces what stands between the two marks; everything else stays as it is, byte for byte. */
export const replaceSection = (document: string, name: string, content: string): string => {
  const opening = `<!-- bench:${name} -->`
  const closing = `<!-- /bench:${name} -->`
  const start = document.indexOf(opening)
  const end = document.indexOf(closing, start)
  if (start < 0 || end < 0) throw new Error(`The document has no ${opening} … ${closing}`)
  if (document.indexOf(opening, start + 1) >= 0) throw new Error(`The document has ${opening} more than once`)
  return `${document.slice(0, start + opening.length)}\n${content.trim()}\n${document.slice(end)}`
}

/** Answers whether the file changed. */
export const updateSection = async (path: string, name: string, content: string): Promise<boolean> => {
  const before = await readFile(path, 'utf8')
  const after = replaceSection(before, name, content)
  if (after !== before) await writeFile(path, after)
  return after !== before
}
