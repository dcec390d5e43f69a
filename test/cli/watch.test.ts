/** `quarry watch`: takes in what changes, and nothing else wakes it. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { watchTree } from '../../dist/adapters/sources/work-tree/watch-tree.js'
import { openQuarry } from '../../dist/index.js'
import { gitRepository, temporaryDirectory } from '../fixtures/git-repository.js'

vi.setConfig({ testTimeout: 120_000 })

const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.js')

interface Event {
  readonly event: string
  readonly [key: string]: unknown
}

interface Watching {
  readonly child: ChildProcessWithoutNullStreams
  readonly events: readonly Event[]
  /** The next one that fits, from the first that was not waited for. */
  next(fits: (event: Event) => boolean): Promise<Event>
}

const environment = (home: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  QUARRY_HOME: home,
  QUARRY_BACKGROUND: '0',
  QUARRY_OFFLINE: '1',
})

const startWatch = (directory: string, home: string): Watching => {
  const child = spawn(process.execPath, [MAIN, 'watch', '--json'], {
    cwd: directory,
    env: environment(home),
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const events: Event[] = []
  let rest = ''
  let said = ''
  child.stderr.on('data', text => {
    said += text
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    events.push(...lines.map(line => JSON.parse(line)))
  })
  let seen = 0
  return {
    child,
    events,
    async next(fits) {
      for (;;) {
        while (seen < events.length) {
          const event = events[seen++]!
          if (fits(event)) return event
        }
        if (child.exitCode !== null) throw new Error(`ended: ${said}`)
        await pause(20)
      }
    },
  }
}

const search = async (root: string, home: string, question: string): Promise<readonly string[]> => {
  const quarry = await openQuarry({ root, environment: environment(home) })
  const { hits } = await quarry.search(question, { refresh: 'never' })
  await quarry.close()
  return hits.map(({ path }) => path)
}

const is = (name: string) => (event: Event) => event.event === name

describe('quarry watch', () => {
  it('takes in what is written, moved and deleted, in directories that came later too', async () => {
    const { work, commit } = gitRepository()
    commit('first', { 'src/first.ts': 'export const first = 1\n' })
    const home = temporaryDirectory()
    const watching = startWatch(work, home)
    expect(await watching.next(is('ready'))).toMatchObject({ watching: true, added: 1 })
    mkdirSync(join(work, 'src/deep/deeper'), { recursive: true })
    writeFileSync(join(work, 'src/deep/deeper/second.ts'), 'export const zebraCrossing = 2\n')
    expect(await watching.next(is('refreshed'))).toMatchObject({ added: 1 })
    // The directory is watched now, although it was not there at first.
    writeFileSync(join(work, 'src/deep/deeper/third.ts'), 'export const quaggaCrossing = 3\n')
    expect(await watching.next(is('refreshed'))).toMatchObject({ added: 1 })
    expect(await search(work, home, 'quaggaCrossing')).toContain('src/deep/deeper/third.ts')
    rmSync(join(work, 'src/deep'), { recursive: true })
    expect(await watching.next(is('refreshed'))).toMatchObject({ removed: 2 })
    commit('later', { 'src/first.ts': 'export const first = 10\n' })
    await watching.next(({ history }) => (history as { added: number } | undefined)?.added === 1)
    watching.child.kill('SIGTERM')
    expect((await once(watching.child, 'close'))[0]).toBe(143)
  })

  it('is not woken by what is ignored', async () => {
    const { work, commit } = gitRepository()
    commit('first', { 'first.ts': 'export const first = 1\n', '.gitignore': 'build/\n*.log\n' })
    mkdirSync(join(work, 'build/deep'), { recursive: true })
    mkdirSync(join(work, 'node_modules/some'), { recursive: true })
    let clock = 0
    const now = () => Date.now() + clock
    const quarry = await openQuarry({
      root: work,
      environment: environment(temporaryDirectory()),
      watch: true,
      now,
    })
    onTestFinished(quarry.close)
    await quarry.search('first')
    let listings = 0
    const real = fs.readdirSync
    fs.readdirSync = ((...given: Parameters<typeof real>) => {
      if (String(given[0]).startsWith(work)) listings++
      return real(...given)
    }) as typeof real
    syncBuiltinESMExports()
    onTestFinished(() => {
      fs.readdirSync = real
      syncBuiltinESMExports()
    })
    const asked = async (): Promise<number> => {
      // Longer than a look would hold by itself, shorter than a quiet tree is trusted.
      clock += 5_000
      const before = listings
      await quarry.search('first')
      return listings - before
    }
    // Events of what the set-up wrote may still be on their way.
    await pause(200)
    await asked()
    writeFileSync(join(work, 'build/deep/out.ts'), 'export const out = 1\n')
    writeFileSync(join(work, 'node_modules/some/index.ts'), 'export const some = 1\n')
    writeFileSync(join(work, 'noise.log'), 'noise\n')
    await pause(200)
    expect(await asked()).toBe(0)
    expect(await asked()).toBe(0)
    writeFileSync(join(work, 'second.ts'), 'export const second = 2\n')
    await pause(200)
    expect(await asked()).toBeGreaterThan(0)
    expect((await quarry.search('second')).hits[0]?.path).toBe('second.ts')
    // Not trusted for ever.
    clock += 120_000
    expect(await asked()).toBeGreaterThan(0)
    // A look by somebody else does not hide a change from the next question.
    writeFileSync(join(work, 'third.ts'), 'export const third = 3\n')
    await pause(200)
    await quarry.status()
    clock += 5_000
    expect((await quarry.search('third')).hits[0]?.path).toBe('third.ts')
  })

  it('survives branches that differ by thousands of files, and another indexer', async () => {
    const { work, commit, git } = gitRepository()
    commit('first', { 'first.ts': 'export const first = 1\n' })
    git('checkout', '-q', '-b', 'wide')
    const many = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, i) => [`d${i % 40}/f${i}.txt`, `file number ${i} of many\n`]),
    )
    commit('wide', many)
    git('checkout', '-q', 'main')
    const home = temporaryDirectory()
    const watching = startWatch(work, home)
    await watching.next(is('ready'))
    const total = async (): Promise<number> => {
      const quarry = await openQuarry({ root: work, environment: environment(home) })
      const { index } = await quarry.status()
      await quarry.close()
      return index?.documents ?? 0
    }
    for (const [branch, documents] of [
      ['wide', 2_001],
      ['main', 1],
      ['wide', 2_001],
    ] as const) {
      git('checkout', '-q', branch)
      while ((await total()) !== documents) await watching.next(is('refreshed'))
    }
    // Two keep watch: the one that comes second waits its turn, and both stay alive.
    const other = startWatch(work, home)
    await other.next(is('ready'))
    writeFileSync(join(work, 'last.ts'), 'export const last = 1\n')
    while ((await total()) !== 2_002) await pause(50)
    other.child.kill('SIGINT')
    expect((await once(other.child, 'close'))[0]).toBe(130)
    expect(watching.child.exitCode).toBeNull()
  })
})

describe('watching a tree', () => {
  it.each([true, false])('tells of entered directories only (the system watches trees: %s)', async trees => {
    const root = temporaryDirectory()
    mkdirSync(join(root, 'in'))
    mkdirSync(join(root, 'out'))
    const watch = watchTree(root, { now: Date.now, watchesTrees: trees })
    onTestFinished(watch.close)
    const walk = watch.begin()
    for (const path of ['', 'in']) {
      watch.look(path)
      watch.enter(path, name => name.endsWith('.log'))
    }
    watch.end(walk)
    await pause(200)
    const before = watch.stirs()
    writeFileSync(join(root, 'out/a.ts'), 'a')
    writeFileSync(join(root, 'in/a.log'), 'a')
    await pause(200)
    expect(watch.stirs()).toBe(before)
    writeFileSync(join(root, 'in/a.ts'), 'a')
    await vi.waitFor(() => expect(watch.stirs()).toBeGreaterThan(before!))
    // Two walks at a time: the end of the first lets nothing go that the second has not come to yet.
    const first = watch.begin()
    watch.look('')
    watch.look('in')
    const second = watch.begin()
    watch.look('')
    watch.end(first)
    const quiet = watch.stirs()!
    writeFileSync(join(root, 'in/b.ts'), 'b')
    await vi.waitFor(() => expect(watch.stirs()).toBeGreaterThan(quiet))
    watch.end(second)
    const left = watch.stirs()
    writeFileSync(join(root, 'in/c.ts'), 'c')
    await pause(200)
    expect(watch.stirs()).toBe(left)
  })

  it('ends where a directory cannot be watched, and says so', () => {
    const root = temporaryDirectory()
    writeFileSync(join(root, 'file'), '')
    const watch = watchTree(root, { now: Date.now, watchesTrees: false })
    let told = 0
    watch.onStir(() => told++)
    watch.begin()
    watch.look('file/below')
    expect(watch.stirs()).toBeNull()
    expect(told).toBe(1)
  })
})
