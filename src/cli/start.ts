/**
 * The door for people, which `main.ts` opens: parses, hands over to a command, ends with its exit code. The engine and each
 * command load only when they are run, so that `--help` and `--version` answer at once.
 */

import { failWith } from './fail.js'
import { buildProgram } from './program.js'
import { openTerminal } from './terminal.js'

// Commands are loaded after this: a trace of theirs names the files and lines that they were written in.
if (process.env.QUARRY_DEBUG === '1') process.setSourceMapsEnabled(true)

const terminal = openTerminal(process.argv)
const interruption = new AbortController()
let interruptedWith = 0

const interrupt = (code: number) => () => {
  // Someone who asks twice does not want to wait for a tidy end; the store survives it.
  if (interruptedWith !== 0) process.exit(code)
  interruptedWith = code
  interruption.abort()
}
process.on('SIGINT', interrupt(130))
process.on('SIGTERM', interrupt(143))
process.on('uncaughtException', error => process.exit(failWith(error, terminal)))
// Only reached when nothing is left to wait for and the command has not ended: silence would look like success.
process.on('beforeExit', () =>
  process.exit(failWith(new Error('the command came to a standstill'), terminal)),
)

const run = async (): Promise<number> => {
  let code = 0
  const program = buildProgram({ terminal, signal: interruption.signal }, result => {
    code = result
  })
  try {
    await program.parseAsync(process.argv)
    return code
  } catch (error) {
    return interruptedWith === 0 ? failWith(error, terminal) : interruptedWith
  }
}

const code = await run()
await terminal.flush()
// Not by itself: a parser or model thread that is slow to end must not hold the reader's prompt.
process.exit(interruptedWith || code)
