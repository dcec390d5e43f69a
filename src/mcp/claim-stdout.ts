/** Keeps stdout for the protocol: whatever else would be printed there goes to stderr. */

import { Writable } from 'node:stream'

export interface ClaimedStdout {
  /** The only way to the real one. */
  readonly output: Writable
  release(): void
}

export const claimStdout = (): ClaimedStdout => {
  const { stdout, stderr } = process
  const write = stdout.write
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => {
      write.call(stdout, chunk, encoding, done)
    },
  })
  // `console.log` ends here too, and so does what threads print.
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  return {
    output,
    release: () => {
      stdout.write = write
    },
  }
}
