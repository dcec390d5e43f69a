import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { describe, expect } from 'vitest'
import { largeRepository, smallRepository } from './repository.js'
import { story } from './story.js'

const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.js')

describe('the process', () => {
  story('Ctrl-C ends an index run with 130, and the next run finishes it', async scene => {
    largeRepository(scene, 1500)
    const run = scene.start({}, 'index', '--fast', '--progress=json')
    await run.said('"stage":"chunk"')
    run.process.kill('SIGINT')
    const { code, stderr } = await run.ended()
    expect(code).toBe(130)
    expect(stderr).not.toContain('    at ')
    const resumed = await scene.run('index', '--fast', '--json')
    expect(resumed.code).toBe(0)
    const { added, changed, unchanged } = JSON.parse(resumed.stdout)
    expect(added + changed + unchanged).toBe(1500)
  })

  story('a second indexer is told who is at work and ends with 75', async scene => {
    largeRepository(scene, 1500)
    const first = scene.start({}, 'index', '--fast', '--progress=json')
    await first.said('"stage":"chunk"')
    first.process.kill('SIGSTOP')
    try {
      const second = await scene.run('index', '--fast', '--json')
      expect(second.code).toBe(75)
      const { error } = JSON.parse(second.stderr)
      expect(error.code).toBe('INDEX_LOCKED')
      expect(error.message).toContain(String(first.process.pid))
    } finally {
      first.process.kill('SIGCONT')
    }
    expect((await first.ended()).code).toBe(0)
  })

  story('a reader who stops reading is no error', async scene => {
    smallRepository(scene)
    for (let file = 0; file < 40; file++)
      scene.write(`many/${file}.ts`, `export const invoice${file} = "${'x'.repeat(3000)}"\n`)
    const child = spawn(process.execPath, [MAIN, 'search', '--queries', '-', '-k', '50'], {
      cwd: scene.repo,
      env: { ...process.env, QUARRY_HOME: scene.home, QUARRY_BACKGROUND: '0' },
    })
    let said = ''
    child.stderr.on('data', text => {
      said += text
    })
    child.stdin.on('error', () => {})
    child.stdin.end('invoice\n'.repeat(200))
    child.stdout.once('data', () => child.stdout.destroy())
    const [code] = await once(child, 'close')
    expect([code, said]).toEqual([0, ''])
  })

  story('index leaves the slow vectors to a process behind it, unless told not to', async scene => {
    smallRepository(scene)
    const environment = { QUARRY_BACKGROUND: '1' }
    const offline = await scene.runWith({ environment }, 'index', '--offline')
    expect(offline.code).toBe(0)
    expect(offline.stderr).not.toContain('behind')
    const fast = await scene.runWith({ environment }, 'index', '--fast', '--rebuild', '--offline')
    expect(fast.stderr).not.toContain('behind')
  })

  story('an error shows its trace only on request', async scene => {
    const broken = ['search', 'x', '--repo', '/no/such']
    expect((await scene.run(...broken)).stderr).not.toContain('    at ')
    const traced = await scene.runWith({ environment: { QUARRY_DEBUG: '1' } }, ...broken)
    expect(traced.stderr).toContain('    at ')
  })
})
