/** Asks a tool of the MCP server at its desk, as a client's call would, and cuts the answer where its hits end. */

import { openQuarry } from '#dist/index.js'
import { openDesk } from '#dist/mcp/desk.js'
import type { Root } from '#dist/mcp/root.js'

export interface ToolHit {
  readonly path?: string
  readonly startLine?: number
  readonly endLine?: number
  readonly commit?: string
}

/** One of the two forms of an answer. A client hands its model either of them. */
export interface Form {
  readonly name: 'text' | 'data'
  /** The text cut at the end of each hit; what stands before the first one is read with it, and what follows the last is left out. */
  readonly pieces: readonly string[]
  readonly whole: string
}

export interface ToolAnswer {
  readonly hits: readonly ToolHit[]
  readonly forms: readonly Form[]
}

export interface Asking {
  ask(tool: string, given: Record<string, unknown>): Promise<ToolAnswer>
  close(): Promise<void>
}

/** Answers from the index as it is: what is measured is what is written, not how fresh it is. */
export const openAsking = async (directory: string, home: string): Promise<Asking> => {
  const environment = { ...process.env, QUARRY_HOME: home, QUARRY_OFFLINE: '1' }
  const quarry = await openQuarry({ root: directory, environment, trust: true })
  const root: Root = {
    ...{ directory, quarry: async () => quarry, freshen: async () => [] },
    ...{ fillIn: async () => {}, close: () => quarry.close() },
  }
  const desk = openDesk(new Map([['here', root]]))
  return {
    async ask(tool, given) {
      const { signal } = new AbortController()
      const result = await desk.call(tool, given, { signal, notify: async () => {} })
      const text = result?.content[0]?.text ?? ''
      if (result === null || result.isError) throw new Error(`${tool}: ${text}`)
      const hits = result.structuredContent.hits as readonly ToolHit[]
      return { hits, forms: [textForm(text, hits), dataForm(result.structuredContent, hits)] }
    },
    close: () => quarry.close(),
  }
}

/** A hit begins with its number and its place or commit: what stands before the next one is its own. */
const textForm = (text: string, hits: readonly ToolHit[]): Form => {
  const starts: number[] = []
  for (const [position, { commit, path }] of hits.entries()) {
    const head = `\n${position + 1}. ${commit ?? `${path}:`}`
    const start = text.indexOf(head, starts.at(-1) ?? 0)
    if (start < 0) throw new Error(`The text lacks hit ${position + 1}: ${head}`)
    starts.push(start)
  }
  const ends = [...starts.slice(1), text.lastIndexOf('\n---')]
  return { name: 'text', whole: text, pieces: cutAt(text, ends.slice(0, hits.length)) }
}

/** The hits come first in the data, so what stands before the end of a hit is what was read by then. */
const dataForm = (data: Record<string, unknown>, hits: readonly ToolHit[]): Form => {
  const whole = JSON.stringify(data)
  let end = whole.indexOf('"hits":[') + '"hits":['.length
  const ends = hits.map((hit, position) => {
    end += JSON.stringify(hit).length + (position === 0 ? 0 : 1)
    return end
  })
  return { name: 'data', whole, pieces: cutAt(whole, ends) }
}

const cutAt = (text: string, ends: readonly number[]): readonly string[] =>
  ends.map((end, position) => text.slice(position === 0 ? 0 : ends[position - 1], end))
