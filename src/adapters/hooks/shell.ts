/** What must be known of shell scripts to add lines to one: whether it is one, whether its end is reached, how to quote. */

const SHELLS = new Set(['sh', 'bash', 'dash', 'ash', 'ksh', 'mksh', 'zsh'])

/** Nothing inside single quotes means anything to a shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** null when it is not exactly what `quote` writes. */
export const unquote = (quoted: string): string | null => {
  const text = quoted.slice(1, -1).replaceAll("'\\''", "'")
  return quote(text) === quoted ? text : null
}

/** A hook without a shebang is run by `sh`: git hands it over when the system refuses to start it. */
export const isShellScript = (hook: string): boolean => {
  if (hook.includes('\0') || hook.startsWith('\xef\xbb\xbf')) return false
  const shebang = /^#![ \t]*([^\r\n]*)/.exec(hook)
  if (shebang === null) return true
  const words = shebang[1]!.split(/[ \t]+/).filter(Boolean)
  const isNamedLater = /(?:^|\/)(?:env|busybox)$/.test(words[0] ?? '')
  const interpreter = isNamedLater
    ? words.slice(1).find(word => !word.startsWith('-') && !word.includes('='))
    : words[0]
  return SHELLS.has(interpreter?.split('/').at(-1) ?? '')
}

/** `exit`, `return` or `exec program` where a command may stand. `exec` with nothing but redirections goes on. */
const EARLY_END =
  /(?:^|[;&|({`]|\b(?:then|else|do|in)[ \t]|\))[ \t]*(?:(?:exit|return)\b|exec[ \t]+(?!\d*[<>]|&>|\{))/

/** When in doubt it is not: a block at the top runs in any case. */
export const isReadToItsEnd = (script: string): boolean => {
  const lines = script.split('\n').filter(line => !/^\s*#/.test(line))
  const last = lines.findLast(line => line.trim() !== '') ?? ''
  // An open quote, a here-document or a continued line would swallow what follows.
  return !lines.some(line => EARLY_END.test(line)) && !last.endsWith('\\') && !script.includes('<<')
}
