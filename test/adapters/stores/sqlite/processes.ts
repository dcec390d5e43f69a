/** Child processes of the fault tests, and the lines they say. */

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Compiled by `npm run build`: Node 20 runs no TypeScript. */
export const script = fileURLToPath(
  new URL('../../../../build/test/processes/store-child.js', import.meta.url),
)

export type Line = Readonly<Record<string, unknown>>

export interface Child {
  readonly process: ChildProcess
  /** The next line; null when it ended without one. */
  line(): Promise<Line | null>
  tell(word: string): void
  /** SIGKILL, and wait until it is gone. */
  kill(): Promise<void>
  /** Resolves with everything it wrote to stderr. */
  ended(): Promise<string>
}

export const startChild = (args: readonly string[], options: SpawnOptions = {}): Child =>
  watch(spawn(process.execPath, [script, ...args], { stdio: 'pipe', ...options }))

export const watch = (child: ChildProcess): Child => {
  const said: Line[] = []
  const waiting: ((line: Line | null) => void)[] = []
  let errors = ''
  let isOver = false
  child.stderr?.on('data', data => {
    errors += data
  })
  createInterface({ input: child.stdout! }).on('line', text => {
    const line = JSON.parse(text) as Line
    const next = waiting.shift()
    if (next) next(line)
    else said.push(line)
  })
  const over = new Promise<void>(resolve => {
    child.on('close', () => {
      isOver = true
      for (const next of waiting.splice(0)) next(null)
      resolve()
    })
  })
  child.stdin?.on('error', () => {})
  return {
    process: child,
    line: () =>
      new Promise(resolve => {
        const line = said.shift()
        if (line) resolve(line)
        else if (isOver) resolve(null)
        else waiting.push(resolve)
      }),
    tell: word => child.stdin?.write(`${word}\n`),
    kill: async () => {
      child.kill('SIGKILL')
      await over
    },
    ended: async () => {
      await over
      return errors
    },
  }
}

/** Repeatable random numbers from 0 to 1. */
export const randomNumbers = (seed: number) => {
  let state = seed
  return (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
