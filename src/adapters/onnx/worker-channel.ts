/** One inference worker, as a process or as a thread, behind the same few calls. A process survives nothing less than the
 * machine: a crash of native code ends only itself. A thread starts 100 ms sooner and shares its parent's fate. */

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isMainThread, Worker } from 'node:worker_threads'
import type { FromWorker, ToWorker, WorkerSetup } from './protocol.js'

export type Isolation = 'process' | 'thread'

export interface WorkerChannel {
  send(message: ToWorker): void
  /** Keeps the parent alive while there is work, and lets it end while there is none. */
  hold(active: boolean): void
  /** There is nothing more to do: a process ends at once, a thread when it is through with what it is at. `onExit` is still called. */
  end(): void
  /** Ends one that hangs, at once. `onExit` is still called. */
  kill(): void
}

export interface WorkerEvents {
  onMessage(message: FromWorker): void
  /** Exactly once, however it ended. */
  onExit(why: string): void
}

/** The runtime writes an id of the machine into the home directory and reports to its makers, unless its own environment says no. */
const SILENT = { ORT_DISABLE_TELEMETRY: '1' }

const SCRIPT = fileURLToPath(new URL('./inference-worker.js', import.meta.url))

export function startWorker(
  setup: WorkerSetup,
  isolation: Isolation,
  events: WorkerEvents,
  script = SCRIPT,
): WorkerChannel {
  let ended = false
  const onExit = (why: string) => {
    if (!ended) events.onExit(why)
    ended = true
  }
  // Of threads only the main one changes the environment that native code sees.
  return isolation === 'process' || !isMainThread
    ? startProcess(script, setup, { ...events, onExit })
    : startThread(script, setup, { ...events, onExit })
}

function startProcess(
  script: string,
  setup: WorkerSetup,
  { onMessage, onExit }: WorkerEvents,
): WorkerChannel {
  const child = fork(script, [JSON.stringify(setup)], {
    serialization: 'advanced',
    env: { ...process.env, ...SILENT },
    execArgv: [],
    // Nothing that native code prints may reach our stdout, which carries data.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.on('message', message => onMessage(message as FromWorker))
  child.on('exit', (code, signal) => onExit(signal ?? `exit code ${code}`))
  child.on('error', error => onExit(error.message))
  return {
    send: message => {
      // A worker that has just died cannot be written to; its exit event tells the same.
      if (child.connected) child.send(message, () => {})
    },
    hold: active => {
      if (active) {
        child.ref()
        child.channel?.ref()
      } else {
        child.unref()
        child.channel?.unref()
      }
    },
    end: () => child.kill('SIGKILL'),
    kill: () => child.kill('SIGKILL'),
  }
}

function startThread(script: string, setup: WorkerSetup, { onMessage, onExit }: WorkerEvents): WorkerChannel {
  Object.assign(process.env, SILENT)
  const thread = new Worker(script, { workerData: setup, execArgv: [], stdout: true, stderr: true })
  thread.on('message', (message: FromWorker) => onMessage(message))
  thread.on('error', error => onExit(error.message))
  thread.on('exit', code => onExit(`exit code ${code}`))
  return {
    send: message => thread.postMessage(message),
    hold: active => (active ? thread.ref() : thread.unref()),
    // Terminated while the runtime loads a model, it would take the whole process with it (an exception that nobody can catch).
    end: () => thread.postMessage('end'),
    kill: () => void thread.terminate(),
  }
}
