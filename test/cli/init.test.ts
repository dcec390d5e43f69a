import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { type Scene, story } from '../story/story.js'

const HOOKS = ['post-commit', 'post-merge', 'post-checkout', 'post-rewrite']

const environmentOf = ({ home }: Scene, more: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  QUARRY_HOME: home,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
  ...more,
})

const git = (scene: Scene, cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, env: environmentOf(scene), encoding: 'utf8' })

/** A repository with one commit. */
const repository = (scene: Scene): string => {
  scene.write('first.ts', 'export const first = 1\n')
  git(scene, scene.repo, 'init', '-q', '-b', 'main', '.')
  git(scene, scene.repo, 'add', '.')
  git(scene, scene.repo, 'commit', '-qm', 'first')
  return join(scene.repo, '.git', 'hooks')
}

/** Until the index has it, without any help of the search itself. */
const isFound = async (scene: Scene, word: string, cwd = scene.repo): Promise<boolean> => {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(300)) {
    const { stdout } = await scene.runWith({ cwd }, 'search', word, '--no-refresh', '--no-rerank', '--jsonl')
    if (stdout.includes(word)) return true
  }
  return false
}

const snapshot = (hooks: string): Record<string, string> =>
  Object.fromEntries(
    HOOKS.filter(name => existsSync(join(hooks, name))).map(name => [
      name,
      `${(statSync(join(hooks, name)).mode & 0o7777).toString(8)} ${readFileSync(join(hooks, name), 'latin1')}`,
    ]),
  )

describe('quarry init', () => {
  story('commit, amend, checkout and merge refresh the index behind git', async scene => {
    repository(scene)
    expect((await scene.run('init')).code).toBe(0)
    scene.write('second.ts', 'export const zebraStripe = 2\n')
    git(scene, scene.repo, 'add', '.')
    git(scene, scene.repo, 'commit', '-qm', 'second')
    expect(await isFound(scene, 'zebraStripe')).toBe(true)
    scene.write('third.ts', 'export const giraffeNeck = 3\n')
    git(scene, scene.repo, 'add', '.')
    git(scene, scene.repo, 'commit', '-q', '--amend', '-m', 'third')
    expect(await isFound(scene, 'giraffeNeck')).toBe(true)
    git(scene, scene.repo, 'checkout', '-q', '-b', 'side')
    scene.write('fourth.ts', 'export const ostrichEgg = 4\n')
    git(scene, scene.repo, 'add', '.')
    git(scene, scene.repo, '-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'fourth')
    git(scene, scene.repo, '-c', 'core.hooksPath=/dev/null', 'checkout', '-q', 'main')
    git(scene, scene.repo, 'merge', '-q', '--no-edit', 'side')
    expect(await isFound(scene, 'ostrichEgg')).toBe(true)
  })

  story('many commits at once need few runs, and the last one is in the index', async scene => {
    repository(scene)
    await scene.run('init')
    for (let count = 1; count <= 15; count++) {
      scene.write('many.ts', `export const wildebeest${count} = ${count}\n`)
      git(scene, scene.repo, 'add', '.')
      git(scene, scene.repo, 'commit', '-qm', `commit ${count}`)
    }
    expect(await isFound(scene, 'wildebeest15')).toBe(true)
  })

  story('a Quarry that fails, hangs or is gone neither fails nor delays a commit', async scene => {
    const hooks = repository(scene)
    await scene.run('init')
    const breakage = join(scene.home, '..', 'breakage.cjs')
    const commit = (more: Record<string, string>): number => {
      const start = performance.now()
      const env = environmentOf(scene, more)
      const done = spawnSync('git', ['commit', '-q', '--allow-empty', '-m', 'x'], { cwd: scene.repo, env })
      expect([done.status, String(done.stderr), String(done.stdout)]).toEqual([0, '', ''])
      return performance.now() - start
    }
    writeFileSync(breakage, 'throw new Error("broken")')
    expect(commit({ NODE_OPTIONS: `--require ${breakage}` })).toBeLessThan(3_000)
    // Holds the process back for a while; had git waited, the commit would take as long.
    writeFileSync(
      breakage,
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 8000); process.exit(3)',
    )
    expect(commit({ NODE_OPTIONS: `--require ${breakage}` })).toBeLessThan(3_000)
    const hook = join(hooks, 'post-commit')
    writeFileSync(
      hook,
      readFileSync(hook, 'utf8').replace(/quarry_entry='.*'/, "quarry_entry='/gone/main.js'"),
    )
    expect(commit({})).toBeLessThan(3_000)
    await pause(8_000)
  })

  story('is idempotent, updates an older block, and comes out again', async scene => {
    const hooks = repository(scene)
    const first = JSON.parse((await scene.run('init', '--json')).stdout)
    expect(first.hooks.map((hook: { action: string }) => hook.action)).toEqual(Array(4).fill('created'))
    const installed = snapshot(hooks)
    expect(Object.keys(installed)).toEqual(HOOKS)
    const again = await scene.run('init')
    expect([again.code, again.stderr]).toEqual([0, 'the hooks are in place already\n'])
    expect(snapshot(hooks)).toEqual(installed)
    const hook = join(hooks, 'post-merge')
    writeFileSync(hook, readFileSync(hook, 'utf8').replace(/quarry_node=.*/, "quarry_node='/old/node'"))
    expect((await scene.run('init')).stdout).toMatch(/^changed\s+\S+post-merge$/m)
    expect(snapshot(hooks)).toEqual(installed)
    expect((await scene.run('init', '--remove', '--dry-run')).stdout).toMatch(
      /^would be deleted\s+\S+post-commit$/m,
    )
    expect(snapshot(hooks)).toEqual(installed)
    expect((await scene.run('init', '--remove')).code).toBe(0)
    expect(snapshot(hooks)).toEqual({})
    const nothing = await scene.run('init', '--remove')
    expect([nothing.code, nothing.stderr]).toEqual([0, 'no hook held a line of Quarry\n'])
  })

  story('a dry run writes nothing and shows the lines', async scene => {
    const hooks = repository(scene)
    const { code, stdout, stderr } = await scene.run('init', '--dry-run')
    expect([code, stderr]).toEqual([0, 'nothing was written\n'])
    expect(stdout).toContain('# >>> quarry init')
    expect(stdout).toMatch(/^would be created\s+\S+post-rewrite$/m)
    expect(snapshot(hooks)).toEqual({})
  })

  story('foreign hooks run as before and come back byte for byte', async scene => {
    const hooks = repository(scene)
    const foreign: Record<string, [string, number]> = {
      'post-commit': ['#!/bin/sh\necho "caf\xe9" >> ../said\nexit 0\n', 0o755],
      'post-merge': ['#!/bin/bash\necho merged >> ../said', 0o750],
      'post-checkout': ['#!/bin/sh\r\n', 0o700],
    }
    for (const [name, [text, mode]] of Object.entries(foreign)) {
      writeFileSync(join(hooks, name), text, 'latin1')
      chmodSync(join(hooks, name), mode)
    }
    const before = snapshot(hooks)
    expect((await scene.run('init')).stdout.match(/^changed /gm)).toHaveLength(3)
    await scene.run('init')
    expect(statSync(join(hooks, 'post-merge')).mode & 0o7777).toBe(0o750)
    scene.write('foreign.ts', 'export const hedgehogSpine = 1\n')
    git(scene, scene.repo, 'add', '.')
    git(scene, scene.repo, 'commit', '-qm', 'x')
    expect(readFileSync(join(scene.repo, '..', 'said'), 'latin1')).toBe('caf\xe9\n')
    expect(await isFound(scene, 'hedgehogSpine')).toBe(true)
    await scene.run('init', '--remove')
    expect(snapshot(hooks)).toEqual(before)
  })

  story('hooks that are not shell scripts, or do not run, are left with the line to add', async scene => {
    const hooks = repository(scene)
    writeFileSync(join(hooks, 'post-commit'), '#!/usr/bin/env python3\nprint(1)\n', { mode: 0o755 })
    writeFileSync(join(hooks, 'post-merge'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]), { mode: 0o755 })
    writeFileSync(join(hooks, 'post-checkout'), '#!/bin/sh\nrm -rf x\n', { mode: 0o644 })
    const before = snapshot(hooks)
    const { code, stdout, stderr } = await scene.run('init')
    expect(code).toBe(0)
    expect(stdout.match(/^left /gm)).toHaveLength(3)
    expect(stderr.match(/is not a shell script/g)).toHaveLength(2)
    expect(stderr).toContain('is not executable')
    expect(stderr).toContain(`init --refresh --repo '${scene.repo}'`)
    expect(snapshot(hooks)).toMatchObject(before)
    await scene.run('init', '--remove')
    expect(snapshot(hooks)).toEqual(before)
  })

  story('a block that lost its end is never guessed at', async scene => {
    const hooks = repository(scene)
    await scene.run('init')
    const hook = join(hooks, 'post-commit')
    const torn = readFileSync(hook, 'utf8').replace('# <<< quarry init <<<\n', 'echo mine\n')
    writeFileSync(hook, torn)
    for (const flags of [[], ['--remove']]) {
      expect((await scene.run('init', ...flags)).stderr).toContain('without their end')
      expect(readFileSync(hook, 'utf8')).toBe(torn)
    }
  })

  story('core.hooksPath is told, not obeyed', async scene => {
    const hooks = repository(scene)
    mkdirSync(join(scene.repo, 'team'))
    git(scene, scene.repo, 'config', 'core.hooksPath', 'team')
    const { code, stdout, stderr } = await scene.run('init')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/hooks in team \(core\.hooksPath\)[\s\S]*init --refresh --repo/)
    expect(snapshot(hooks)).toEqual({})
    expect(snapshot(join(scene.repo, 'team'))).toEqual({})
    git(scene, scene.repo, 'config', '--unset', 'core.hooksPath')
    mkdirSync(join(scene.home, 'user'), { recursive: true })
    writeFileSync(join(scene.home, 'user', '.gitconfig'), '[core]\n\thooksPath = ~/everywhere\n')
    const user = await scene.runWith({ environment: { HOME: join(scene.home, 'user') } }, 'init')
    expect(user.stderr).toContain('hooks in ~/everywhere')
  })

  story('a hostile configuration runs nothing', async scene => {
    repository(scene)
    const canary = join(scene.home, '..', 'canary')
    const commands = ['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'alias.status']
    for (const key of commands) git(scene, scene.repo, 'config', key, `!touch ${canary}`)
    writeFileSync(
      join(scene.repo, '.git', 'config'),
      `${readFileSync(join(scene.repo, '.git', 'config'), 'utf8')}[core]\n\thooksPath = "$(touch ${canary})"\n`,
    )
    await scene.run('init')
    await scene.run('init', '--remove')
    expect(existsSync(canary)).toBe(false)
  })

  story('links are refused before anything is written', async scene => {
    const hooks = repository(scene)
    const outside = join(scene.repo, '..', 'outside')
    writeFileSync(outside, '#!/bin/sh\n')
    symlinkSync(outside, join(hooks, 'post-rewrite'))
    const { code, stderr } = await scene.run('init', '--json')
    expect([code, JSON.parse(stderr).error.code]).toEqual([2, 'BAD_PATH'])
    expect(Object.keys(snapshot(hooks))).toEqual(['post-rewrite'])
    expect(readFileSync(outside, 'utf8')).toBe('#!/bin/sh\n')
    rmSync(join(hooks, 'post-rewrite'))
    renameSync(hooks, join(scene.repo, '..', 'hooks'))
    symlinkSync(join(scene.repo, '..', 'hooks'), hooks)
    expect((await scene.run('init')).stderr).toContain('is a symbolic link')
    expect(snapshot(hooks)).toEqual({})
    expect((await scene.run('init', '--remove')).code).toBe(0)
  })

  story('work trees share hooks; each directory comes and goes by itself', async scene => {
    const hooks = repository(scene)
    const tree = join(scene.repo, '..', "a tree's")
    git(scene, scene.repo, 'worktree', 'add', '-q', '-b', 'other', tree)
    await scene.run('init')
    expect((await scene.runWith({ cwd: tree }, 'init')).stdout.match(/^changed /gm)).toHaveLength(4)
    expect(readFileSync(join(hooks, 'post-commit'), 'utf8').match(/^ {2}refresh '/gm)).toHaveLength(2)
    writeFileSync(join(tree, 'tree.ts'), 'export const beaverDam = 1\n')
    git(scene, tree, 'add', '.')
    git(scene, tree, 'commit', '-qm', 'in the tree')
    expect(await isFound(scene, 'beaverDam', tree)).toBe(true)
    await scene.run('init', '--remove')
    expect(readFileSync(join(hooks, 'post-commit'), 'utf8').match(/^ {2}refresh '/gm)).toHaveLength(1)
    await scene.runWith({ cwd: tree }, 'init', '--remove')
    expect(snapshot(hooks)).toEqual({})
  })

  story('below the top of the work tree it refreshes the directory it was given', async scene => {
    const hooks = repository(scene)
    scene.write('part/one.ts', 'export const one = 1\n')
    await scene.runWith({ cwd: join(scene.repo, 'part') }, 'init')
    expect(readFileSync(join(hooks, 'post-commit'), 'utf8')).toContain(`refresh '${scene.repo}/part'`)
  })

  story('no repository, a bare one, and a .git file that lies', async scene => {
    const codeOf = async (cwd: string): Promise<string> =>
      JSON.parse((await scene.runWith({ cwd }, 'init', '--json')).stderr).error.code
    expect(await codeOf(scene.repo)).toBe('NOT_A_REPOSITORY')
    expect((await scene.run('init')).stderr).toContain('hint:')
    const bare = join(scene.repo, '..', 'bare.git')
    git(scene, scene.repo, 'init', '-q', '--bare', bare)
    expect(await codeOf(bare)).toBe('NOT_A_REPOSITORY')
    const victim = join(scene.repo, '..', 'victim')
    git(scene, scene.repo, 'init', '-q', victim)
    scene.write('.git', `gitdir: ${join(victim, '.git')}\n`)
    expect(await codeOf(scene.repo)).toBe('NOT_A_REPOSITORY')
    expect(snapshot(join(victim, '.git', 'hooks'))).toEqual({})
  })

  story('a submodule has hooks of its own', async scene => {
    repository(scene)
    const part = join(scene.repo, '..', 'part')
    git(scene, scene.repo, 'clone', '-q', scene.repo, part)
    git(scene, scene.repo, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', part, 'part')
    expect((await scene.runWith({ cwd: join(scene.repo, 'part') }, 'init')).code).toBe(0)
    expect(Object.keys(snapshot(join(scene.repo, '.git', 'modules', 'part', 'hooks')))).toEqual(HOOKS)
  })
})
