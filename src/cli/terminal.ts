/** Where output goes: stdout is data, stderr is talk. A reader who stops reading ends the run without a word; a full disk is told. */

import { type Paint, paintWith } from '../present/paint.js'
import { failWith } from './fail.js'

export interface Terminal {
  /** Data. Resolves when it is written, so that a slow reader slows us down rather than filling memory. */
  print(text: string): Promise<void>
  /** Everything said beside the data. */
  talk(text: string): void
  /** Resolves when everything is written. */
  flush(): Promise<void>
  /** stdout is a terminal: links can be clicked. */
  readonly interactive: boolean
  readonly talksToTerminal: boolean
  readonly columns: number
  readonly colour: boolean
  /** For stderr, which may be a terminal when stdout is not. */
  readonly paint: Paint
  /** Errors are wanted as JSON. */
  readonly json: boolean
}

export const openTerminal = (argv: readonly string[]): Terminal => {
  const { stdout, stderr } = process
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : failWith(error, terminal))
  })
  stderr.on('error', () => {})
  const flags = argv.slice(2, argv.includes('--') ? argv.indexOf('--') : undefined)
  const choice = colourChoice(flags)
  const write = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
    new Promise(resolve => {
      stream.write(text, () => resolve())
    })
  const terminal: Terminal = {
    print: text => (text === '' ? Promise.resolve() : write(stdout, text)),
    talk: text => {
      stderr.write(text)
    },
    flush: async () => {
      await Promise.all([write(stdout, ''), write(stderr, '')])
    },
    interactive: stdout.isTTY === true && process.env.TERM !== 'dumb',
    talksToTerminal: stderr.isTTY === true && process.env.TERM !== 'dumb',
    columns: stderr.columns || 80,
    colour: isColoured(choice, stdout.isTTY),
    paint: paintWith(isColoured(choice, stderr.isTTY)),
    json:
      flags.some(flag => /^--(?:json|jsonl|queries(?:=.*)?|format=jsonl?)$/.test(flag)) ||
      formatIsJson(flags),
  }
  return terminal
}

/** Read before the parser runs: its own errors must obey the flag too. */
const colourChoice = (flags: readonly string[]): string | undefined => {
  const joined = flags.findLast(flag => flag.startsWith('--color='))
  if (joined) return joined.slice('--color='.length)
  const position = flags.lastIndexOf('--color')
  return position === -1 ? undefined : flags[position + 1]
}

const formatIsJson = (flags: readonly string[]): boolean => {
  const position = flags.lastIndexOf('--format')
  return position !== -1 && /^jsonl?$/.test(flags[position + 1] ?? '')
}

const isColoured = (choice: string | undefined, isTerminal: boolean | undefined): boolean => {
  if (choice === 'always') return true
  if (choice === 'never' || process.env.NO_COLOR) return false
  return isTerminal === true && process.env.TERM !== 'dumb'
}
