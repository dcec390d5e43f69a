/** Stories: the real binary in a repository of its own, with a home of its own. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { it } from 'vitest'
import { removeWhenQuiet } from '../fixtures/remove-when-quiet.js'

/** Each story starts the binary several times; a busy machine must not fail it. */
const PATIENCE_MS = 240_000
const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.js')

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly process: ChildProcessWithoutNullStreams
  /** Everything said on stderr so far holds this text. */
  said(text: string): Promise<void>
  ended(): Promise<Ran>
}

interface Conditions {
  readonly environment?: Readonly<Record<string, string>>
  /** `open` leaves it waiting for more. */
  readonly stdin?: string | 'open'
  readonly cwd?: string
  /** Flags of Node itself. */
  readonly node?: readonly string[]
  /** Commands of a shell that then becomes the binary: limits. */
  readonly shell?: string
  /** Another copy of the program. */
  readonly main?: string
}

export interface Scene {
  /** The repository; the binary runs inside it. */
  readonly repo: string
  /** QUARRY_HOME. */
  readonly home: string
  write(path: string, text: string | Buffer): string
  run(...args: readonly string[]): Promise<Ran>
  runWith(conditions: Conditions, ...args: readonly string[]): Promise<Ran>
  start(conditions: Conditions, ...args: readonly string[]): Running
}

export const story = (name: string, tell: (scene: Scene) => Promise<void>): void => {
  it(name, { timeout: PATIENCE_MS }, async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quarry-story-')))
    try {
      await tell(openScene(folder))
    } finally {
      await removeWhenQuiet(folder)
    }
  })
}

const openScene = (folder: string): Scene => {
  const repo = join(folder, 'repo')
  const home = join(folder, 'home')
  mkdirSync(repo)
  const start: Scene['start'] = (conditions, ...args) => {
    const command = [process.execPath, ...(conditions.node ?? []), conditions.main ?? MAIN, ...args]
    const { shell } = conditions
    const [program, ...rest] = shell ? ['bash', '-c', `${shell}; exec "$0" "$@"`, ...command] : command
    const child = spawn(program!, rest, {
      cwd: conditions.cwd ?? repo,
      env: { ...bareEnvironment(), QUARRY_HOME: home, QUARRY_BACKGROUND: '0', ...conditions.environment },
    })
    const said = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', text => {
      said.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', text => {
      said.stderr += text
    })
    // A command that ends without reading its input is not a failure of the story.
    child.stdin.on('error', () => {})
    if (conditions.stdin !== 'open') child.stdin.end(conditions.stdin ?? '')
    const end = once(child, 'close').then(([code]): Ran => ({ code, ...said }))
    return {
      process: child,
      ended: () => end,
      said: async text => {
        while (!said.stderr.includes(text)) {
          if (child.exitCode !== null) throw new Error(`ended without saying ${text}: ${said.stderr}`)
          await new Promise(resume => setTimeout(resume, 2))
        }
      },
    }
  }
  const runWith: Scene['runWith'] = (conditions, ...args) => start(conditions, ...args).ended()
  return {
    repo,
    home,
    start,
    runWith,
    run: (...args) => runWith({}, ...args),
    write: (path, text) => {
      const file = join(repo, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      return file
    },
  }
}

/** Nothing of the host's own settings may leak into a story. */
const bareEnvironment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  TMPDIR: tmpdir(),
  LANG: 'C.UTF-8',
})
