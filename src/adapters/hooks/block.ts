/**
 * The fenced lines that stand for Quarry in a git hook: written, found again, and taken out so that every other byte is as it
 * was. Hook texts are held as latin1 strings, one character a byte, because a foreign hook may be in any encoding.
 */

import { isReadToItsEnd, quote, unquote } from './shell.js'

/** What the hook starts. */
export interface Starter {
  readonly node: string
  readonly entry: string
}

const OPENING = /^# >>> quarry init(?:, (own file|newline added))? >>>[^\n]*$/m
const CLOSING = '\n# <<< quarry init <<<\n'
const OWN_SHEBANG = '#!/bin/sh\n'

/** A hook with its block apart: `foreign` is the hook before Quarry came, null when there was none. */
export interface Opened {
  readonly foreign: string | null
  /** The directories that the block refreshes; empty when there is no block. */
  readonly roots: readonly string[]
}

/** `damaged` when a block has no end: nobody can tell what belongs to it. */
export const open = (hook: string | null): Opened | 'damaged' => {
  const found = hook === null ? null : OPENING.exec(hook)
  if (hook === null || found === null) return { foreign: hook, roots: [] }
  // The last line break of a file may have been lost in an editor.
  const text = hook.endsWith(CLOSING.trimEnd()) ? `${hook}\n` : hook
  const end = text.indexOf(CLOSING, found.index)
  if (end === -1) return 'damaged'
  const block = text.slice(found.index, end)
  const after = text.slice(end + CLOSING.length)
  const before = text.slice(0, found.index)
  const mark = found[1]
  const foreign = mark === 'newline added' && after === '' ? before.slice(0, -1) : before + after
  const rest = open(mark === 'own file' && foreign === OWN_SHEBANG ? null : foreign)
  return rest === 'damaged' ? rest : { foreign: rest.foreign, roots: [...rootsOf(block), ...rest.roots] }
}

/** The hook with a block that refreshes these directories, or as it was without any. */
export const close = (foreign: string | null, roots: readonly string[], starter: Starter): string | null => {
  if (roots.length === 0) return foreign
  if (foreign === null) return OWN_SHEBANG + bytesOf(blockFor(roots, starter, ', own file'))
  // Lines behind an early end of the script would never run.
  const place = isReadToItsEnd(foreign) ? foreign.length : endOfShebang(foreign)
  const [before, after] = [foreign.slice(0, place), foreign.slice(place)]
  return before === '' || before.endsWith('\n')
    ? before + bytesOf(blockFor(roots, starter)) + after
    : `${before}\n${bytesOf(blockFor(roots, starter, ', newline added'))}${after}`
}

/** One line that does the same, for hooks that are not ours to change. */
export const lineFor = (root: string, { node, entry }: Starter): string =>
  `${quote(node)} ${quote(entry)} init --refresh --repo ${quote(root)} </dev/null >/dev/null 2>&1 &`

const endOfShebang = (text: string): number => {
  if (!text.startsWith('#!')) return 0
  const end = text.indexOf('\n')
  return end === -1 ? text.length : end + 1
}

/**
 * In a subshell, so that no variable, option or file of the surrounding script changes. It ends with the status it found, and
 * `&& :` keeps that status from ending a script that runs under `set -e`.
 */
export const blockFor = (roots: readonly string[], { node, entry }: Starter, mark = ''): string =>
  `# >>> quarry init${mark} >>> refreshes the search index behind git; taken out by: quarry init --remove
(
  quarry_status=$?
  set +eu
  quarry_node=${quote(node)}
  quarry_entry=${quote(entry)}
  refresh() {
    if [ "\${QUARRY_BACKGROUND:-1}" != 0 ] && [ -x "$quarry_node" ] && [ -f "$quarry_entry" ] && [ -d "$1" ]; then
      "$quarry_node" "$quarry_entry" init --refresh --repo "$1" &
    fi
  }
${roots.map(root => `  refresh ${quote(root)}\n`).join('')}  exit "$quarry_status"
) </dev/null >/dev/null 2>&1 && :${CLOSING}`

const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

const rootsOf = (block: string): readonly string[] =>
  [...block.matchAll(/^ {2}refresh ('.*')$/gm)].flatMap(([, quoted = '']) => {
    const root = unquote(Buffer.from(quoted, 'latin1').toString('utf8'))
    return root === null ? [] : [root]
  })
