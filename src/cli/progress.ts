/** Progress on stderr: one line redrawn on a terminal, a line for each stage elsewhere, or events as JSON. */

import type { Progress } from '../core/answers.js'
import { counted, grouped } from '../present/talk.js'
import type { Terminal } from './terminal.js'

export type ProgressStyle = 'auto' | 'json' | 'plain' | 'none'

export interface ProgressView {
  readonly show: (progress: Progress) => void
  /** Leaves the terminal as it was found. Call it before anything else is printed. */
  clear(): void
  /** The run is over, and the index holds so many files, commits and notes: for programs that read the events. */
  readonly end?: (total: number) => void
}

/** `patience`: milliseconds before the first word, for callers whose wait is usually too short to mention. */
export const progressView = (style: ProgressStyle, terminal: Terminal, patience = 0): ProgressView => {
  const chosen = style === 'auto' ? (terminal.talksToTerminal ? redrawn : plain) : VIEWS[style]
  const view = chosen(terminal)
  const started = performance.now()
  return patience === 0
    ? view
    : {
        show: progress => {
          if (performance.now() - started >= patience) view.show(progress)
        },
        clear: view.clear,
      }
}

type View = (terminal: Terminal) => ProgressView

const silent: View = () => ({ show: () => {}, clear: () => {} })

const asJson: View = terminal => ({
  show: progress => terminal.talk(`${JSON.stringify(progress)}\n`),
  clear: () => {},
  end: total =>
    terminal.talk(`${JSON.stringify({ stage: 'done', done: total, total, rate: 0, etaSeconds: 0 })}\n`),
})

const plain: View = terminal => {
  let stage: Progress['stage'] | undefined
  return {
    show: progress => {
      if (progress.stage === stage) return
      stage = progress.stage
      terminal.talk(`${WORDS[stage].verb} ${counted(progress.total, WORDS[stage].noun)}\n`)
    },
    clear: () => {},
  }
}

const redrawn: View = terminal => {
  let drawn = false
  const clear = (): void => {
    if (drawn) terminal.talk('\r\x1b[2K')
    drawn = false
  }
  return {
    show: progress => {
      drawn = true
      terminal.talk(`\r\x1b[2K${describe(progress).slice(0, terminal.columns - 1)}`)
    },
    clear,
  }
}

const VIEWS = { json: asJson, plain, none: silent }

const WORDS: Readonly<Record<Progress['stage'], { verb: string; noun: string }>> = {
  chunk: { verb: 'indexing', noun: 'file' },
  history: { verb: 'indexing', noun: 'commit' },
  notes: { verb: 'indexing', noun: 'note' },
  model: { verb: 'downloading', noun: 'byte' },
  embed: { verb: 'embedding', noun: 'chunk' },
}

/** `indexing 1,234 of 5,213 files · 812/s · 5 s left` */
const describe = ({ stage, done, total, rate, etaSeconds }: Progress): string => {
  const parts = [`${WORDS[stage].verb} ${grouped(done)} of ${counted(total, WORDS[stage].noun)}`]
  if (rate > 0) parts.push(`${rate < 10 ? rate.toFixed(1) : grouped(rate)}/s`)
  if (etaSeconds !== null && rate > 0) parts.push(`${duration(etaSeconds)} left`)
  return parts.join(' · ')
}

/** `5 s`, `3 min 20 s`, `2 h 5 min` */
const duration = (seconds: number): string => {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
