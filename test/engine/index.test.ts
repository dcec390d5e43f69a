import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Progress } from '../../dist/index.js'
import { FILES, type Scene, scene } from './scene.js'

let current: Scene
const begin = (...args: Parameters<typeof scene>): Scene => {
  current = scene(...args)
  return current
}
afterEach(() => current.end())

describe('index', () => {
  it('touches nothing on a second run', async () => {
    const quarry = await begin().open()
    expect(await quarry.index({ stage: 'first' })).toMatchObject({
      added: 5,
      changed: 0,
      removed: 0,
      unchanged: 0,
    })
    expect(await quarry.index({ stage: 'first' })).toMatchObject({
      added: 0,
      changed: 0,
      removed: 0,
      unchanged: 5,
      chunks: 0,
    })
  })

  it('does what changed and nothing else', async () => {
    const quarry = await begin().open()
    await quarry.index({ stage: 'first' })
    current.write('src/store/cache.py', 'def replaced():\n    pass\n')
    current.write('src/new.go', 'package main\n\nfunc Fresh() {}\n')
    current.remove('README.md')
    expect(await quarry.index({ stage: 'first' })).toMatchObject({
      added: 1,
      changed: 1,
      removed: 1,
      unchanged: 3,
    })
  })

  it('does not cut a file again whose bytes are the same', async () => {
    const quarry = await begin().open()
    await quarry.index({ stage: 'first' })
    current.write('README.md', 'x')
    current.write('README.md', FILES['README.md']!)
    expect(await quarry.index({ stage: 'first' })).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: 5,
      chunks: 0,
    })
  })

  it('tells its progress', async () => {
    const seen: Progress[] = []
    const quarry = await begin().open()
    await quarry.index({ stage: 'first', onProgress: progress => seen.push(progress) })
    expect(seen.at(-1)).toMatchObject({ stage: 'chunk', done: 5, total: 5 })
  })

  it('lists what it left out, with reasons, and reads it no second time', async () => {
    begin()
    writeFileSync(join(current.root, 'logo.dat'), Buffer.from([0, 1, 2, 3, 0, 0, 9]))
    const quarry = await current.open()
    expect((await quarry.index({ stage: 'first' })).skipped).toMatchObject({ binary: 1 })
    expect((await quarry.index({ stage: 'first' })).skipped).toMatchObject({ binary: 1 })
    const status = await quarry.status()
    expect(status.skipped).toContainEqual(expect.objectContaining({ path: 'logo.dat', reason: 'binary' }))
    expect(status).toMatchObject({ changed: 0, gone: 0, index: { documents: 5 } })
  })

  it('forgets the text of a file that turned binary', async () => {
    const quarry = await begin().open()
    await quarry.index({ stage: 'first' })
    writeFileSync(join(current.root, 'src/store/cache.py'), Buffer.from([0, 1, 2, 0]))
    await quarry.index({ stage: 'first' })
    const { hits } = await quarry.search('evict_oldest')
    expect(hits.map(hit => hit.path)).not.toContain('src/store/cache.py')
  })

  it('works without its model, with a warning and the command that fetches it', async () => {
    const quarry = await begin().open()
    const report = await quarry.index({ stage: 'full' })
    expect(report.added).toBe(5)
    expect(report.warnings[0]).toMatchObject({
      code: 'MODEL_MISSING',
      hint: expect.stringContaining('quarry'),
    })
    const findings = await quarry.doctor()
    expect(findings).toContainEqual(expect.objectContaining({ subject: 'model', state: 'warning' }))
    expect(findings.filter(({ subject }) => subject === 'index')).toEqual([
      expect.objectContaining({ state: 'ok' }),
    ])
  })

  it('starts from nothing after a purge and with rebuild', async () => {
    const quarry = await begin().open()
    await quarry.index({ stage: 'first' })
    expect(await quarry.index({ stage: 'first', rebuild: true })).toMatchObject({ added: 5 })
    await quarry.purge()
    expect((await quarry.status()).index).toBeNull()
  })

  it('stops when it is told to, and goes on where it stopped', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`src/${n}.ts`, `export const value${n} = ${n}\n`.repeat(40)]),
    )
    const quarry = await begin(files).open()
    const stop = new AbortController()
    const run = quarry.index({
      stage: 'first',
      signal: stop.signal,
      onProgress: ({ done }) => done > 0 && stop.abort(),
    })
    await expect(run).rejects.toThrow()
    const state = (await quarry.status()).index
    expect(state!.documents).toBeLessThan(300)
    const report = await quarry.index({ stage: 'first' })
    expect(report.added + state!.documents).toBe(300)
  })
})
