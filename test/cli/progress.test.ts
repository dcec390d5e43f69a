import { describe, expect, it } from 'vitest'
import { progressView } from '../../dist/cli/progress.js'
import type { Terminal } from '../../dist/cli/terminal.js'
import { paintWith } from '../../dist/present/index.js'

const terminalOf = (talksToTerminal: boolean) => {
  const said: string[] = []
  const terminal: Terminal = {
    print: async () => {},
    talk: text => {
      said.push(text)
    },
    flush: async () => {},
    interactive: false,
    talksToTerminal,
    columns: 60,
    colour: false,
    paint: paintWith(false),
    json: false,
  }
  return { said, terminal }
}
const half = { stage: 'chunk', done: 600, total: 1200, rate: 100.4, etaSeconds: 125 } as const
const embedding = { stage: 'embed', done: 0, total: 1, rate: 0, etaSeconds: null } as const

describe('progressView', () => {
  it('redraws one line with rate and time to go on a terminal, and takes it away', () => {
    const { said, terminal } = terminalOf(true)
    const view = progressView('auto', terminal)
    view.show(half)
    view.show(embedding)
    view.clear()
    view.clear()
    expect(said).toEqual([
      '\r\x1b[2Kindexing 600 of 1,200 files · 100/s · 2 min 5 s left',
      '\r\x1b[2Kembedding 0 of 1 chunk',
      '\r\x1b[2K',
    ])
  })

  it('says one line for each stage elsewhere', () => {
    const { said, terminal } = terminalOf(false)
    const view = progressView('auto', terminal)
    for (let i = 0; i < 100; i++) view.show({ ...half, done: i })
    view.show(embedding)
    view.clear()
    expect(said).toEqual(['indexing 1,200 files\n', 'embedding 1 chunk\n'])
  })

  it('hands out events as JSON, or nothing', () => {
    const { said, terminal } = terminalOf(true)
    progressView('json', terminal).show(half)
    progressView('none', terminal).show(half)
    expect(said.map(line => JSON.parse(line))).toEqual([half])
  })

  it('keeps quiet about waits that are too short to mention', () => {
    const { said, terminal } = terminalOf(true)
    progressView('auto', terminal, 10_000).show(half)
    expect(said).toEqual([])
  })
})
