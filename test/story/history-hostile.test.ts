/** A repository whose every setting that can start a program starts one that leaves a trace. No command may leave any. */

import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { startAgent } from '../mcp/agent.js'
import { indexedCommits, repositoryIn } from './history-scene.js'
import { type Scene, story } from './story.js'

const HOOKS = ['post-checkout', 'post-index-change', 'reference-transaction', 'pre-auto-gc', 'post-commit']
const ALIASES = ['log', 'rev-list', 'cat-file', 'diff-tree', 'blame', 'show', 'for-each-ref', 'status']

const hostileRepository = (scene: Scene) => {
  const repository = repositoryIn(scene)
  const attributes = '* diff=evil filter=evil merge=evil\n'
  const shas = ['one', 'two', 'three'].map((word, index) =>
    repository.commit(`Numbat ${word}`, {
      'a.ts': `${'// line\n'.repeat(index + 3)}export const numbat = '${word}'\n`,
      'b.evil': `${word}\n`,
      ...(index === 0 && { 'gone.evil': 'gone\n' }),
      ...(index === 1 && { '.gitattributes': attributes }),
    }),
  )
  // With a signature to be checked, on top of the others.
  const tree = repository.git('rev-parse', 'HEAD^{tree}')
  const signed = repository.rawCommit(
    Buffer.from(
      `tree ${tree}\nparent ${shas[2]}\nauthor A <a@b> 1600000000 +0000\ncommitter A <a@b> 1600000000 +0000\n` +
        'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nNumbat signed\n',
    ),
  )
  repository.git('update-ref', 'refs/heads/main', signed)
  const missing = repository.git('rev-parse', `${shas[0]}:gone.evil`)

  const folder = dirname(scene.repo)
  const traces = join(folder, 'traces')
  const programs = join(folder, 'programs')
  mkdirSync(traces)
  mkdirSync(join(programs, 'hooks'), { recursive: true })
  const canary = (name: string, path = join(programs, name)): string => {
    writeFileSync(path, `#!/bin/sh\necho ran >> '${traces}/${name}'\n`)
    chmodSync(path, 0o755)
    return path
  }
  for (const hook of HOOKS) {
    canary(`hook-${hook}`, join(programs, 'hooks', hook))
    canary(`own-hook-${hook}`, join(repository.gitDirectory, 'hooks', hook))
  }
  const included = join(programs, 'included')
  writeFileSync(included, `[diff]\n\texternal = ${canary('included-external')}\n`)
  const settings = [
    `[core]\n\trepositoryformatversion = 1\n\tfsmonitor = ${canary('fsmonitor')}\n\tpager = ${canary('pager')}`,
    `\thooksPath = ${join(programs, 'hooks')}\n\tsshCommand = ${canary('ssh')}\n\taskPass = ${canary('askpass')}`,
    `\teditor = ${canary('editor')}\n\tgitProxy = ${canary('proxy')}\n\talternateRefsCommand = ${canary('alternates')}`,
    `[include]\n\tpath = ${included}`,
    `[includeIf "gitdir:/"]\n\tpath = ${included}`,
    `[diff]\n\texternal = ${canary('external')}`,
    `[diff "evil"]\n\tcommand = ${canary('command')}\n\ttextconv = ${canary('textconv')}\n\tcachetextconv = true`,
    `[filter "evil"]\n\tclean = ${canary('clean')}\n\tsmudge = ${canary('smudge')}\n\tprocess = ${canary('process')}`,
    `[merge "evil"]\n\tdriver = ${canary('merge')}`,
    `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${canary('gpg')}\n[gpg "ssh"]\n\tprogram = ${canary('gpg-ssh')}`,
    `[credential]\n\thelper = "!${canary('credential')}"`,
    `[interactive]\n\tdiffFilter = ${canary('diff-filter')}`,
    `[pager]\n${ALIASES.map(name => `\t${name} = ${canary(`pager-${name}`)}`).join('\n')}`,
    `[alias]\n${ALIASES.map(name => `\t${name} = "!${canary(`alias-${name}`)}"`).join('\n')}`,
    `[uploadpack]\n\tpackObjectsHook = ${canary('pack-objects')}`,
    `[remote "origin"]\n\turl = ext::${canary('ext')}\n\tpromisor = true\n\tuploadpack = ${canary('uploadpack')}`,
    '[extensions]\n\tpartialClone = origin\n[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always',
    `[trace2]\n\teventTarget = ${join(traces, 'trace')}\n[blame]\n\tignoreRevsFile = /etc/passwd`,
  ]
  appendFileSync(join(repository.gitDirectory, 'config'), `${settings.join('\n')}\n`)
  mkdirSync(join(repository.gitDirectory, 'info'), { recursive: true })
  writeFileSync(
    join(repository.gitDirectory, 'info', 'attributes'),
    `${attributes}*.evil working-tree-encoding=UTF-16\n`,
  )
  // One object is missing, so that git would like to fetch it.
  rmSync(join(repository.gitDirectory, 'objects', missing.slice(0, 2), missing.slice(2)))
  return { ...repository, shas: [...shas, signed], traces: () => readdirSync(traces).sort() }
}

describe('a hostile repository', () => {
  story('starts nothing, whatever command looks at it', async scene => {
    const { shas, traces, work } = hostileRepository(scene)
    const questions = scene.write('../questions.txt', 'numbat\nnumbat before v2\n')
    const commands = [
      ['index', '--fast'],
      ['find', 'numbat'],
      ['find', 'numbat before v2', '--explain'],
      ['find', '--queries', questions],
      ['search', 'numbat'],
      ['similar', 'a.ts:1'],
      ['status'],
      ['status', '--skipped'],
      ['doctor', '--deep', '--offline'],
      ['config', '--show-origin'],
      ['init', '--dry-run'],
      ['index', '--fast', '--refs', 'main~1', '--since', '2019-01-01'],
      ['index', '--fast', '--rebuild', '--trust'],
      ['explain', 'a.ts:6'],
      ['explain', 'a.ts:5', '--at', 'HEAD~2'],
      ['ask', 'numbat'],
      ['models', 'list', '--offline'],
    ]
    const help = (await scene.run('--help')).stdout
    for (const command of commands) {
      if (!help.includes(`\n  ${command[0]} `)) continue
      const { code, stderr } = await scene.run(...command)
      expect([command, traces()]).toEqual([command, []])
      expect([command, code, stderr]).toEqual([
        command,
        expect.toBeOneOf([0, 1]),
        expect.not.stringContaining('INTERNAL'),
      ])
    }
    expect(await indexedCommits(scene)).toEqual(shas.slice(1).sort())
    expect((await scene.run('status', '--skipped')).stdout).toMatch(
      new RegExp(`^missing-object +${shas[0]}`, 'm'),
    )
    const { call } = await startAgent(scene.repo, { home: scene.home })
    const calls: readonly [string, Record<string, unknown>][] = [
      ['index_status', { refresh: true }],
      ['semantic_search', { query: 'numbat', kinds: ['code', 'hunk'] }],
      ['find_pattern', { query: 'numbat before v2', detail: 'full' }],
      ['find_similar', { path: 'a.ts', line: 1 }],
      ['explain_change', { file: 'a.ts', line_start: 5, line_end: 6 }],
    ]
    for (const [name, given] of calls) {
      const { isError, text } = await call(name, given)
      expect([name, isError && text, traces()]).toEqual([name, false, []])
    }
    expect((await scene.run('purge', '--yes')).code).toBe(0)
    expect(traces()).toEqual([])

    // The traces are real: plain git leaves many.
    const plain = [
      ...[
        ['status'],
        ['log', '-2'],
        ['log', '-p', '--ext-diff', '-2'],
        ['diff', 'HEAD~2', 'HEAD', '--', 'a.ts'],
      ],
      ...[
        ['checkout', 'HEAD~2', '--', 'a.ts'],
        ['cat-file', '-p', `${shas[0]}:gone.evil`],
      ],
    ]
    for (const args of plain)
      try {
        const env = { PATH: process.env.PATH, HOME: work, GIT_CONFIG_NOSYSTEM: '1' }
        execFileSync('git', args, { cwd: work, stdio: 'ignore', timeout: 5_000, env })
      } catch {
        // Some of these programs are no good at what they stand in for.
      }
    expect(traces()).toEqual(expect.arrayContaining(['ext', 'fsmonitor', 'gpg', 'process']))
  })

  story('borrows no objects from elsewhere, and replaces none', async scene => {
    const repository = repositoryIn(scene)
    const first = repository.commit('Honest bettong', { 'a.ts': 'bettong\n' })
    const other = join(dirname(scene.repo), 'other')
    repository.git('clone', '--quiet', '--bare', '.', other)
    const elsewhere = (...args: string[]): string => repository.git('-C', other, ...args)
    const secret = elsewhere('commit-tree', '-p', first, '-m', 'Secret of another', `${first}^{tree}`)
    // Points at a commit that only the other repository has, and borrows its objects.
    repository.write({
      '.git/objects/info/alternates': `${other}/objects\n`,
      '.git/refs/heads/stolen': `${secret}\n`,
    })
    const fake = repository.git('commit-tree', '-m', 'Replaced', `${first}^{tree}`)
    repository.write({
      [`.git/refs/replace/${first}`]: `${fake}\n`,
      '.git/info/grafts': `${first} ${fake}\n`,
    })
    const { code } = await scene.run('index', '--fast')
    expect(code).toBe(0)
    expect(await indexedCommits(scene)).toEqual([first])
    const found = await scene.run('find', 'secret replaced bettong', '--json')
    expect(JSON.parse(found.stdout).hits.map((hit: { message: string }) => hit.message)).toEqual([
      'Honest bettong',
    ])
    const status = (await scene.run('status')).stdout
    expect(status).toMatch(/objects borrowed from .* are not read/)
    expect(status).toMatch(/1 commit could not be read/)
  })
})
