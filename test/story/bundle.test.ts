/** The bundle that a build makes of the command line: the same answers as the files it was made of, from a few files. */

import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleCli } from '../../build/scripts/bundle-cli.js'
import { story } from './story.js'

const PACKAGE = resolve(import.meta.dirname, '../..')

/** A copy of the package with a bundle made just now, and what it was made of. */
const copy = mkdtempSync(join(tmpdir(), 'quarry-bundle-'))
const bundled = join(copy, 'dist/cli/main.js')
const files = join(copy, 'dist/cli/start.js')

beforeAll(async () => {
  cpSync(join(PACKAGE, 'dist'), join(copy, 'dist'), { recursive: true })
  for (const path of ['package.json', 'node_modules', 'assets'])
    symlinkSync(join(PACKAGE, path), join(copy, path))
  await bundleCli(copy)
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe('the bundle of the command line', () => {
  story('says what the files it was made of say, and starts their threads', async scene => {
    scene.write('retry.ts', 'export const retry = (send: () => void) => {\n  for (;;) send()\n}\n')
    scene.write('notes.md', '# Retries\n\nA request that failed is sent again.\n')
    scene.write('.gitignore', '*.[oa]\n/build[0-9]/\n')
    scene.write('build1/made.ts', 'export const made = 1\n')
    const indexed = await scene.runWith({ main: bundled }, 'index', '--offline', '--json', '--quiet')
    expect(JSON.parse(indexed.stdout)).toMatchObject({ added: 3, warnings: [] })
    for (const args of [
      ['search', 'retry', '--json', '--explain', '--no-refresh', '--offline'],
      ['search', 'nothing like it', '--no-refresh', '--offline'],
      ['status', '--json'],
      ['similar', 'retry.ts:1', '--jsonl'],
      ['recall', 'which port', '--json'],
      ['config', '--json'],
      ['--version'],
      ['--help'],
      ['serach', 'x'],
    ]) {
      const [one, other] = [
        await scene.runWith({ main: bundled }, ...args),
        await scene.runWith({ main: files }, ...args),
      ]
      expect(one).toEqual(other)
    }
  })

  story('knows where its code was written when something goes wrong', async scene => {
    const debug = { main: bundled, environment: { QUARRY_DEBUG: '1' } }
    const { code, stderr } = await scene.runWith(debug, 'search', 'x', '--repo', join(scene.home, 'nowhere'))
    expect(code).toBe(2)
    expect(stderr).toMatch(/src\/engine\/root\.ts:\d+/)
  })

  story('serves agents', async scene => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    }
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
    const stdin = [initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }, list]
      .map(message => `${JSON.stringify(message)}\n`)
      .join('')
    const { stdout } = await scene.runWith({ main: bundled, stdin }, 'mcp')
    const [greeting, tools] = stdout.trimEnd().split('\n')
    expect(JSON.parse(greeting!).result.serverInfo.name).toBe('quarry')
    expect(JSON.parse(tools!).result.tools.length).toBeGreaterThan(4)
  })

  it('brings the licences of the packages in it', () => {
    const licences = readFileSync(join(bundled, '../../bundle/LICENSES.txt'), 'utf8')
    expect(licences.match(/Permission is hereby granted/g)).toHaveLength(2)
  })
})
