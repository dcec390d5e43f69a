/**
 * `npm run bench -- mcp-start`: how long an agent waits for a server that has just been started, and a person for one answer,
 * as ratios to an empty Node program. All are measured in turn, so that a busy machine slows them alike.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { appendResult, commandLine } from './report/result-line.js'
import { repositoryRoot } from './sets/places.js'

const MAIN = join(repositoryRoot, 'dist/cli/main.js')
const ROUNDS = 15

export const measureStart = async (scratch: string): Promise<void> => {
  const root = join(scratch, 'start')
  rmSync(root, { recursive: true, force: true })
  const work = join(root, 'work')
  mkdirSync(work, { recursive: true })
  for (const room of ['mcp', 'retrieval', 'ranking'])
    cpSync(join(repositoryRoot, 'src', room), join(work, room), { recursive: true })
  const start = (args: readonly string[]): ChildProcess =>
    spawn(process.execPath, args, {
      cwd: work,
      env: {
        ...process.env,
        QUARRY_HOME: join(root, 'home'),
        QUARRY_BACKGROUND: '0',
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
  const whole = async (args: readonly string[]): Promise<number> => {
    const started = performance.now()
    const child = start(args)
    child.stdout!.resume()
    await once(child, 'close')
    return performance.now() - started
  }
  await whole([MAIN, 'index', '--fast', '--quiet'])

  const times: Record<'node' | 'initialize' | 'toolsList' | 'search', number[]> = {
    node: [],
    initialize: [],
    toolsList: [],
    search: [],
  }
  for (let round = 0; round < ROUNDS; round++) {
    times.node.push(await whole(['-e', '0']))
    const { initialize, toolsList } = await greet(() => start([MAIN, 'mcp']))
    times.initialize.push(initialize)
    times.toolsList.push(toolsList)
    times.search.push(await whole([MAIN, 'search', 'fuse the answers', '-k', '3']))
  }
  const metrics: Record<string, number> = {}
  for (const [name, values] of Object.entries(times)) {
    values.sort((a, b) => a - b)
    metrics[`${name}Least`] = round(values[0]!)
    metrics[`${name}Median`] = round(values[ROUNDS >> 1]!)
  }
  for (const name of ['initialize', 'toolsList', 'search'] as const)
    metrics[`${name}Ratio`] = round(metrics[`${name}Median`]! / metrics.nodeMedian!)
  console.log(JSON.stringify(metrics))
  await appendResult(repositoryRoot, join(repositoryRoot, 'bench/results'), {
    name: 'start',
    command: commandLine(process.argv.slice(2)),
    dataHash: 'own-source',
    config: { what: 'milliseconds to the first answer of a new process' },
    metrics,
    n: ROUNDS,
  })
}

const greet = async (start: () => ChildProcess): Promise<{ initialize: number; toolsList: number }> => {
  const started = performance.now()
  const child = start()
  const say = (message: object): void => {
    child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  const clientInfo = { name: 'bench', version: '1' }
  say({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  })
  const answers: number[] = []
  for await (const _ of createInterface(child.stdout!)) {
    answers.push(performance.now() - started)
    if (answers.length === 2) break
    say({ method: 'notifications/initialized' })
    say({ id: 2, method: 'tools/list' })
  }
  child.stdin!.end()
  await once(child, 'close')
  const [initialize, toolsList] = answers
  return { initialize: initialize!, toolsList: toolsList! }
}

const round = (value: number): number => Number(value.toFixed(2))
