/** The other process of the fault tests: does one thing to an index and reports in lines of JSON. Plain JavaScript, so that Node runs it as it is. */

import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { sqliteStore } from '../../../../dist/adapters/stores/sqlite/index.js'
import { sampleDocument } from '../../../../dist/testing/index.js'
import { inspect, vectorsOf, versionOf } from './versions.mjs'

const [command, directory, ...rest] = process.argv.slice(2)
const root = '/a/work tree'
const identity = { root, chunkerId: 'chunker-1' }
const store = sqliteStore({ directory, root })
const say = message => process.stdout.write(`${JSON.stringify(message)}\n`)
const forever = () => new Promise(() => setInterval(() => {}, 1000))
const told = word =>
  new Promise(resolve => {
    const lines = createInterface({ input: process.stdin })
    lines.on('line', line => {
      if (line === word) {
        lines.close()
        // An open pipe would keep the process alive.
        process.stdin.destroy()
        resolve()
      }
    })
  })

const commands = {
  /** Brings all documents to one revision after another until it is killed, or to one revision if that is given. */
  async revise([acknowledgements, documents, style, only]) {
    await told('go')
    const seen = await inspectIndex(style === 'deep')
    say({ event: 'inspected', ...seen })
    const first = Math.max(0, ...Object.values(seen.revisions)) + 1
    const last = only ? Number(only) : Number.POSITIVE_INFINITY
    for (let revision = only ? last : first; revision <= last; revision++) {
      const writer = await store.openWriter(identity)
      for (let number = 0; number < Number(documents); number++) {
        const version = versionOf(number, revision)
        if (style === 'naive') {
          const half = { ...version, chunks: version.chunks.slice(0, 1) }
          await writer.commit([half], [vectorsOf(half)])
          await new Promise(resolve => setTimeout(resolve, 5))
        }
        await writer.commit([version], [vectorsOf(version)])
        appendFileSync(acknowledgements, `${version.document.path} ${revision}\n`)
      }
      await writer.finish(revision)
      await writer.close()
    }
    say({ event: 'done' })
  },

  /** Commit n brings document n modulo `documents` to revision n; then it waits to be killed, the log still full. */
  async sequence([commits, documents]) {
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

  async create([name]) {
    await told('go')
    for (;;) {
      try {
        const writer = await store.openWriter(identity)
        await writer.commit([sampleDocument(name, ['text'])], [])
        await writer.close()
        break
      } catch (error) {
        if (error.code !== 'INDEX_LOCKED') throw error
        await new Promise(resolve => setTimeout(resolve, 5))
      }
    }
    say({ event: 'done' })
  },

  /** Writes larger and larger documents until something refuses. */
  async fill([path]) {
    try {
      const writer = await store.openWriter(identity)
      for (let number = 0; number < 400; number++) {
        await writer.commit([sampleDocument(`${path}/${number}.ts`, [`word${number} `.repeat(10_000)])], [])
      }
      say({ event: 'filled' })
    } catch (error) {
      say({ event: 'refused', code: error.code, message: error.message, hint: error.hint })
    }
    const reader = await store.openReader()
    say({ event: 'still', faults: await store.check(true), ...(await reader.state()) })
    process.exit(0)
  },

  async open() {
    const outcome = async work => {
      try {
        await work()
        return 'ok'
      } catch (error) {
        return error.code
      }
    }
    const reader = await outcome(async () => {
      const opened = await store.openReader()
      await opened.state()
    })
    say({ reader, writer: await outcome(() => store.openWriter(identity)) })
    process.exit(0)
  },
}

const inspectIndex = async deep => {
  try {
    const faults = await store.check(deep)
    const reader = await store.openReader()
    const found = await inspect(reader)
    await reader.close()
    return { revisions: found.revisions, faults: [...faults, ...found.faults] }
  } catch (error) {
    if (error.code === 'INDEX_MISSING') return { revisions: {}, faults: [] }
    return { revisions: {}, faults: [`${error.code} ${error.message}`] }
  }
}

await commands[command](rest)
