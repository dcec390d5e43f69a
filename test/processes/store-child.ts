/** The other process of the store's fault tests: does one thing to an index and reports in lines of JSON. */

import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { sqliteStore } from '#dist/adapters/stores/sqlite/index.js'
import { QuarryError } from '#dist/core/errors.js'
import { sampleDocument } from '#dist/testing/index.js'
import { type Inspection, inspect, vectorsOf, versionOf } from './store-versions.js'

const [command = '', directory = '', ...rest] = process.argv.slice(2)
const root = '/a/work tree'
const identity = { root, chunkerId: 'chunker-1' }
const store = sqliteStore({ directory, root })

const say = (message: object): boolean => process.stdout.write(`${JSON.stringify(message)}\n`)

const forever = (): Promise<never> => new Promise(() => setInterval(() => {}, 1000))

const told = (word: string): Promise<void> =>
  new Promise(resolve => {
    const lines = createInterface({ input: process.stdin })
    lines.on('line', line => {
      if (line !== word) return
      lines.close()
      // An open pipe would keep the process alive.
      process.stdin.destroy()
      resolve()
    })
  })

const commands: Readonly<Record<string, (...args: string[]) => Promise<void>>> = {
  /** Brings all documents to one revision after another until it is killed, or to one revision if that is given. */
  async revise(acknowledgements, documents, style, only) {
    await told('go')
    const seen = await inspectIndex(style === 'deep')
    say({ event: 'inspected', ...seen })
    const first = only ? Number(only) : Math.max(0, ...Object.values(seen.revisions)) + 1
    const last = only ? first : Number.POSITIVE_INFINITY
    for (let revision = first; revision <= last; revision++) {
      const writer = await store.openWriter(identity)
      for (let number = 0; number < Number(documents); number++) {
        const version = versionOf(number, revision)
        if (style === 'naive') {
          const half = { ...version, chunks: version.chunks.slice(0, 1) }
          await writer.commit([half], [vectorsOf(half)])
          await pause(5)
        }
        await writer.commit([version], [vectorsOf(version)])
        appendFileSync(acknowledgements!, `${version.document.path} ${revision}\n`)
      }
      await writer.finish(revision)
      await writer.close()
    }
    say({ event: 'done' })
  },

  /** Commit n brings document n modulo `documents` to revision n; then it waits to be killed, the log still full. */
  async sequence(commits, documents) {
    const writer = await store.openWriter(identity)
    for (let revision = 1; revision <= Number(commits); revision++) {
      const version = versionOf(revision % Number(documents), revision)
      await writer.commit([version], [vectorsOf(version)])
    }
    say({ event: 'done' })
    await forever()
  },

  async hold() {
    await store.openWriter(identity)
    say({ event: 'ready', pid: process.pid })
    await forever()
  },

  async create(name) {
    await told('go')
    for (;;) {
      try {
        const writer = await store.openWriter(identity)
        await writer.commit([sampleDocument(name!, ['text'])], [])
        await writer.close()
        break
      } catch (error) {
        if (codeOf(error) !== 'INDEX_LOCKED') throw error
        await pause(5)
      }
    }
    say({ event: 'done' })
  },

  /** Writes larger and larger documents until something refuses. */
  async fill(path) {
    try {
      const writer = await store.openWriter(identity)
      for (let number = 0; number < 400; number++) {
        await writer.commit([sampleDocument(`${path}/${number}.ts`, [`word${number} `.repeat(10_000)])], [])
      }
      say({ event: 'filled' })
    } catch (error) {
      const { code, message, hint } = error as QuarryError
      say({ event: 'refused', code, message, hint })
    }
    const reader = await store.openReader()
    say({ event: 'still', faults: await store.check(true), ...(await reader.state()) })
    process.exit(0)
  },

  async open() {
    const reader = await outcome(async () => {
      const opened = await store.openReader()
      await opened.state()
    })
    say({ reader, writer: await outcome(() => store.openWriter(identity)) })
    process.exit(0)
  },
}

const inspectIndex = async (deep: boolean): Promise<Inspection> => {
  try {
    const faults = await store.check(deep)
    const reader = await store.openReader()
    const found = await inspect(reader)
    await reader.close()
    return { revisions: found.revisions, faults: [...faults, ...found.faults] }
  } catch (error) {
    if (codeOf(error) === 'INDEX_MISSING') return { revisions: {}, faults: [] }
    return { revisions: {}, faults: [String(error)] }
  }
}

const outcome = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    await work()
    return 'ok'
  } catch (error) {
    return codeOf(error) ?? String(error)
  }
}

const codeOf = (error: unknown): string | undefined => (error instanceof QuarryError ? error.code : undefined)

await commands[command]!(...rest)
