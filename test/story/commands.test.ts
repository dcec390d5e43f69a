import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { indexDirectory } from '../../dist/config/directories.js'
import { smallRepository } from './repository.js'
import { story } from './story.js'

describe('commands', () => {
  story('help and version go to stdout', async scene => {
    const help = await scene.run('--help')
    expect([help.code, help.stderr]).toEqual([0, ''])
    expect(help.stdout).toContain('Usage: quarry')
    expect((await scene.run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect((await scene.run('search', '--help')).stdout).toContain('--max-per-file')
    expect(existsSync(scene.home)).toBe(false)
  })

  story('index reports what it did; a second run finds nothing to do', async scene => {
    smallRepository(scene)
    const first = await scene.run('index', '--fast', '--json')
    expect(first.code).toBe(0)
    expect(JSON.parse(first.stdout)).toMatchObject({ added: 4, changed: 0, removed: 0, unchanged: 0 })
    const second = await scene.run('index', '--fast')
    expect([second.code, second.stdout]).toEqual([0, ''])
    expect(second.stderr).toMatch(/^4 unchanged · /m)
    const rebuilt = await scene.run('index', '--fast', '--rebuild', '--json')
    expect(JSON.parse(rebuilt.stdout)).toMatchObject({ added: 4 })
  })

  story('progress as JSON events, as a line for each stage, or none', async scene => {
    smallRepository(scene)
    const { stderr } = await scene.run('index', '--fast', '--progress=json', '--json')
    const events = stderr
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(events[0]).toMatchObject({
      stage: expect.any(String),
      done: expect.any(Number),
      total: expect.any(Number),
    })
    expect([...new Set(events.map(({ stage }) => stage))]).toEqual(['chunk', 'done'])
    expect(events.at(-1)).toMatchObject({ stage: 'done', done: 4, total: 4 })
    await scene.run('remember', 'four files')
    const again = (await scene.run('index', '--fast', '--progress=json', '--json')).stderr
      .trimEnd()
      .split('\n')
    const stages = again.map(line => JSON.parse(line).stage)
    expect(stages[0]).toBe('notes')
    expect(stages.at(-1)).toBe('done')
    const plain = await scene.run('index', '--fast', '--rebuild')
    expect(plain.stderr).toMatch(/^indexing 4 files\n/m)
    expect(plain.stderr).not.toContain('\x1b')
    const quiet = await scene.run('index', '--fast', '--rebuild', '--quiet')
    expect(quiet).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  story('index takes its directory as an argument or by --repo', async scene => {
    smallRepository(scene)
    const outside = { cwd: '/' }
    expect((await scene.runWith(outside, 'index', scene.repo, '--fast')).code).toBe(0)
    expect((await scene.runWith(outside, 'search', 'invoice', '--repo', scene.repo)).code).toBe(0)
    expect((await scene.runWith(outside, 'index', scene.repo, '--repo', '/')).code).toBe(2)
  })

  story('status says what the index holds and what was left out', async scene => {
    smallRepository(scene)
    scene.write('logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]))
    const before = await scene.run('status')
    expect(before.code).toBe(1)
    expect(before.stdout).toMatch(/^state +not indexed$/m)
    // A file that was written within the last two seconds counts as changed until it is looked at again.
    await pause(2_100)
    await scene.run('index', '--fast')
    const after = await scene.run('status')
    expect(after.code).toBe(0)
    expect(after.stdout).toMatch(/^files +4$/m)
    expect(after.stdout).toMatch(/^changed +nothing$/m)
    scene.write('src/new.ts', 'export const fresh = 1\n')
    const { stdout } = await scene.run('status', '--json')
    const status = JSON.parse(stdout)
    expect(status).toMatchObject({ root: scene.repo, changed: 1, gone: 0, index: { documents: 4 } })
    expect(status.indexDirectory.startsWith(scene.home)).toBe(true)
    expect((await scene.run('status', '--skipped')).stdout).toMatch(/^\S+ +logo\.png/m)
  })

  story('status counts the secrets that answers leave out, and says where they stand', async scene => {
    smallRepository(scene)
    const keys = [`AKIA${'Q3EGRS7TUVWX2YZ5'}`, `ghp_${'a8Kd02LmPq93ZxVbN17cRt5YwE6uHs4JfG0o'}`]
    scene.write(
      'src/keys.ts',
      `// for the tests\nexport const aws = '${keys[0]}'\nexport const git = '${keys[1]}'\n`,
    )
    await scene.run('index', '--fast', '--no-history')
    const before = await scene.run('status')
    expect(before.stdout).toMatch(/^redacted +2 secrets in 1 file: 1 aws, 1 github$/m)
    expect((await scene.run('status', '--skipped')).stdout).toMatch(
      /^redacted +src\/keys\.ts:2 {2}aws\nredacted +src\/keys\.ts:3 {2}github$/m,
    )
    const { redacted, skippedByReason } = JSON.parse((await scene.run('status', '--json')).stdout)
    expect(redacted).toHaveLength(2)
    expect(skippedByReason).not.toHaveProperty('redacted')
    // Their file is in the index, and nothing of it counts as left out.
    const again = await scene.run('index', '--fast', '--no-history')
    expect(again.stderr).toMatch(/^5 unchanged · \d/m)
    const { stdout } = await scene.run('search', 'keys for the tests')
    expect(stdout).toContain('[REDACTED:aws]')
    for (const key of keys) expect(stdout + before.stdout).not.toContain(key)
    scene.write('src/keys.ts', 'export const aws = process.env.KEY\n')
    await scene.run('index', '--fast', '--no-history')
    expect((await scene.run('status')).stdout).not.toContain('redacted')
  })

  story('status lists the models whose vectors are missing', async scene => {
    smallRepository(scene)
    await scene.run('index', '--fast')
    const { stdout } = await scene.run('status')
    expect(stdout).toMatch(
      /^vectors +0 % {2}all-MiniLM-L6-v2 \(the model is not here: quarry models pull all-MiniLM-L6-v2\)$/m,
    )
    const { models } = JSON.parse((await scene.run('status', '--json')).stdout)
    expect(models).toEqual([
      { name: 'all-MiniLM-L6-v2', present: false, needed: true, vectors: 0 },
      { name: 'bge-small-en-v1.5', present: false, needed: false, vectors: 0 },
    ])
  })

  story('doctor is content with a sound index and says what to type without one', async scene => {
    smallRepository(scene)
    await scene.run('index', '--fast')
    const { code, stdout } = await scene.run('doctor', '--deep', '--offline')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ok {7}index: /m)
    const { findings } = JSON.parse((await scene.run('doctor', '--json', '--offline')).stdout)
    expect(findings[0]).toMatchObject({
      subject: expect.any(String),
      state: 'ok',
      message: expect.any(String),
    })
  })

  story('config shows values and where they came from', async scene => {
    const all = await scene.run('config')
    expect(all.code).toBe(0)
    expect(all.stdout).toMatch(/^rrfK = 60$/m)
    expect((await scene.run('config', 'rrfK')).stdout).toBe('60\n')
    expect((await scene.run('config', 'profile', '--show-origin')).stdout).toMatch(/^best {2}# default/)
    expect((await scene.run('config', 'offline', '--offline', '--json')).stdout).toContain('"value": true')
    expect((await scene.run('config', 'multiHop')).stdout).toMatch(/^multiHop\.enabled = /)
    const unknown = await scene.run('config', 'rrf')
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      'error: There is no setting rrf\n hint: quarry config rrfK\n',
    ])
    expect((await scene.run('config', '__proto__')).code).toBe(2)
  })

  story('models are listed; unknown ones and the forbidden network are errors', async scene => {
    const listed = await scene.run('models', 'list', '--offline')
    expect(listed.code).toBe(0)
    expect(listed.stdout).toMatch(/^\* \S+ +embedder +[\d.]+ MB {2}missing/m)
    const { models } = JSON.parse((await scene.run('models', 'list', '--json')).stdout)
    expect(Object.keys(models[0])).toEqual(['name', 'role', 'bytes', 'present', 'chosen', 'directory'])
    const pulled = await scene.run('models', 'pull', '--offline', '--json')
    expect(pulled.code).toBe(2)
    expect(JSON.parse(pulled.stderr).error.code).toBe('OFFLINE')
    for (const action of ['pull', 'verify', 'remove']) {
      const ran = await scene.run('models', action, 'no-such-model', '--offline')
      expect([action, ran.code]).toEqual([action, 2])
      expect(ran.stderr).toContain('no-such-model')
    }
  })

  story('purge asks first, deletes the index and nothing else', async scene => {
    smallRepository(scene)
    await scene.run('index', '--fast')
    const before = readdirSync(scene.repo)
    const refused = await scene.run('purge')
    expect([refused.code, refused.stderr]).toEqual([
      2,
      'error: Nobody is here to ask whether to delete the index\n hint: quarry purge --yes\n',
    ])
    expect((await scene.run('status')).code).toBe(0)
    const terminal = { node: ['--import', 'data:text/javascript,process.stdin.isTTY=true'] }
    expect((await scene.runWith({ ...terminal, stdin: 'n\n' }, 'purge')).code).toBe(1)
    expect((await scene.runWith({ ...terminal, stdin: '' }, 'purge')).code).toBe(1)
    expect((await scene.run('status')).code).toBe(0)
    // As an index leaves it that was interrupted at its very beginning.
    mkdirSync(join(indexDirectory(join(scene.home, 'data'), scene.repo), 'history'))
    expect((await scene.runWith({ ...terminal, stdin: 'y\n' }, 'purge')).code).toBe(0)
    expect(readdirSync(join(scene.home, 'data', 'indexes'))).toEqual([])
    expect((await scene.run('status')).code).toBe(1)
    expect((await scene.run('purge', '--yes', '--json')).stdout).toContain('"purged"')
    expect(readdirSync(scene.repo)).toEqual(before)
  })
})
