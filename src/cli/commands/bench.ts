/** `quarry bench`: hands over to the engine, shows how far it is, prints the tables. */

import { basename, isAbsolute, relative } from 'node:path'
import type { BenchProgress, BenchRequest } from '../../index.js'
import { encode } from '../../present/json.js'
import { sanitise, sanitiseLine } from '../../present/sanitise.js'
import { grouped } from '../../present/talk.js'
import { type CommonFlags, overridesOf } from '../flags.js'
import type { Surroundings } from '../program.js'
import type { Terminal } from '../terminal.js'

/** Flags have the names of the request, save those that are written once for each value. */
type BenchFlags = Pick<CommonFlags, 'offline' | 'json'> &
  Partial<Omit<BenchRequest, 'paths' | 'expanders' | 'profiles' | 'signal' | 'onProgress'>> & {
    readonly expander?: BenchRequest['expanders']
    readonly profile?: BenchRequest['profiles']
  }

export const runBenchCommand = async (
  paths: readonly string[],
  flags: BenchFlags,
  { terminal, signal }: Surroundings,
  version: string,
): Promise<number> => {
  const { expander, profile, offline, json, ...asked } = flags
  const { runBench } = await import('../../index.js')
  const progress = benchProgress(terminal)
  const out = flags.out ?? usualPlace()
  try {
    const { report, text, files } = await runBench({
      ...asked,
      ...{ paths, signal, version, onProgress: progress.show, out },
      ...(expander && { expanders: expander }),
      ...(profile && { profiles: profile }),
      overrides: overridesOf(offline ? { offline } : {}),
      command: commandLine(process.argv.slice(2)),
    })
    progress.clear()
    const sets = report.sets.map(({ rows, ...set }) => ({
      ...set,
      rows: rows.map(({ questions: _questions, ...row }) => row),
    }))
    await terminal.print(json ? `${encode({ ...report, sets, files }, 2)}\n` : sanitise(text))
    const names = files.map(file => basename(file)).join(', ')
    terminal.talk(`written to ${sanitiseLine(relative('', out) || out)}: ${names}\n`)
    return sets.some(({ rows }) => rows.some(({ n }) => n > 0)) ? 0 : 1
  } finally {
    progress.clear()
  }
}

/** `quarry-bench-20260131-142500`: runs do not overwrite each other. */
const usualPlace = (): string =>
  `quarry-bench-${new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}`

/** As anyone could type it: of a directory of this machine only the last name is anyone's business. */
const commandLine = (args: readonly string[]): string =>
  ['quarry', ...args.map(argument => (isAbsolute(argument) ? `…/${basename(argument)}` : argument))]
    .map(argument =>
      /[\s"'$`\\;&|<>()*?]/.test(argument) ? `'${argument.replaceAll("'", "'\\''")}'` : argument,
    )
    .join(' ')

/** Elsewhere than on a terminal a line now and then is enough to see that it goes on. */
const PAUSE_MS = 10_000

/** One line that is redrawn, or elsewhere a line for each set and every ten seconds. */
const benchProgress = (terminal: Terminal) => {
  let [drawn, last, saidAt] = [false, '', 0]
  return {
    show: ({ set, what, done, total, asked, questions }: BenchProgress): void => {
      const now = performance.now()
      const line = sanitiseLine(
        `${set}: ${grouped(asked)} of ${grouped(questions)} questions · ${what} ${grouped(done)} of ${grouped(total)}`,
      )
      if (terminal.talksToTerminal) {
        drawn = true
        terminal.talk(`\r\x1b[2K${line.slice(0, terminal.columns - 1)}`)
      } else if (set !== last || now - saidAt > PAUSE_MS) {
        terminal.talk(`${line}\n`)
        ;[last, saidAt] = [set, now]
      }
    },
    clear: (): void => {
      if (drawn) terminal.talk('\r\x1b[2K')
      drawn = false
    },
  }
}
