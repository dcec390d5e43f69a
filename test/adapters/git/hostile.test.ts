/** A repository whose every setting that can run something does run something, if anything makes it. */

import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blame, touching } from '../../../dist/adapters/git/blame.js'
import { commitDiff } from '../../../dist/adapters/git/commit-diff.js'
import { fileAt } from '../../../dist/adapters/git/file-at.js'
import { gitHistory } from '../../../dist/adapters/git/history-source.js'
import { listRefs, resolveRevision } from '../../../dist/adapters/git/revision.js'
import { gitRepository, temporaryDirectory } from '../../fixtures/git-repository.js'
import { open, readAll } from './open.js'

const hostileRepository = () => {
  const repository = gitRepository()
  const shas = ['one', 'two', 'three'].map((text, index) =>
    repository.commit(text, { 'a.txt': `${'line\n'.repeat(index + 3)}${text}\n`, 'b.evil': text }),
  )
  const missing = repository.git('rev-parse', `${shas[0]}:b.evil`)
  const canaries = temporaryDirectory()
  const scripts = temporaryDirectory()
  const canary = (name: string): string => {
    const path = join(scripts, name)
    writeFileSync(path, `#!/bin/sh\necho ran >> '${canaries}/${name.replaceAll('/', '-')}'\nexit 0\n`)
    chmodSync(path, 0o755)
    return path
  }
  const hooks = join(scripts, 'hooks')
  mkdirSync(hooks)
  for (const hook of [
    'post-checkout',
    'post-index-change',
    'reference-transaction',
    'pre-auto-gc',
    'fsmonitor-watchman',
  ])
    canary(join('hooks', hook))
  const included = join(scripts, 'included')
  writeFileSync(
    included,
    `[core]\n\tpager = ${canary('included-pager')}\n[diff]\n\texternal = ${canary('included-external')}\n`,
  )
  const settings: Record<string, string> = {
    'core.fsmonitor': canary('fsmonitor'),
    'core.pager': canary('pager'),
    'core.editor': canary('editor'),
    'core.askPass': canary('askpass'),
    'core.sshCommand': canary('ssh'),
    'core.gitProxy': canary('proxy'),
    'core.hooksPath': hooks,
    'core.alternateRefsCommand': canary('alternate-refs'),
    'credential.helper': `!${canary('credential')}`,
    'diff.external': canary('diff-external'),
    'diff.evil.command': canary('diff-command'),
    'diff.evil.textconv': canary('textconv'),
    'diff.evil.cachetextconv': 'true',
    'filter.evil.clean': canary('clean'),
    'filter.evil.smudge': canary('smudge'),
    'filter.evil.process': canary('process'),
    'filter.evil.required': 'true',
    'log.showSignature': 'true',
    'gpg.program': canary('gpg'),
    'gpg.ssh.program': canary('gpg-ssh'),
    'interactive.diffFilter': canary('diff-filter'),
    'pager.log': canary('pager-log'),
    'pager.blame': canary('pager-blame'),
    'uploadpack.packObjectsHook': canary('pack-objects'),
    'remote.origin.url': `ext::${canary('ext')}`,
    'remote.origin.promisor': 'true',
    'remote.origin.uploadpack': canary('uploadpack'),
    'remote.origin.partialclonefilter': 'blob:none',
    'extensions.partialClone': 'origin',
    'core.repositoryFormatVersion': '1',
    'protocol.allow': 'always',
    'protocol.ext.allow': 'always',
    'include.path': included,
    'blame.ignoreRevsFile': '/etc/passwd',
    'mailmap.file': '/etc/passwd',
    'trace2.eventTarget': join(canaries, 'trace'),
  }
  for (const alias of ['log', 'diff-tree', 'rev-list', 'cat-file', 'blame', 'ls-tree'])
    settings[`alias.${alias}`] = `!${canary(`alias-${alias}`)}`
  for (const [key, value] of Object.entries(settings)) repository.git('config', key, value)
  const attributes =
    '* diff=evil filter=evil merge=evil\n*.evil diff=evil filter=evil working-tree-encoding=UTF-16\n'
  writeFileSync(join(repository.work, '.gitattributes'), attributes)
  mkdirSync(join(repository.gitDirectory, 'info'), { recursive: true })
  writeFileSync(join(repository.gitDirectory, 'info', 'attributes'), attributes)
  // A signed commit, so that a check of signatures has something to check; and its attributes are in the tree too.
  const tree = repository.git('rev-parse', 'HEAD^{tree}')
  const signed = repository.rawCommit(
    Buffer.from(
      `tree ${tree}\nparent ${shas[2]}\nauthor A <a@b> 1600000000 +0000\ncommitter A <a@b> 1600000000 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nsigned\n`,
    ),
  )
  writeFileSync(join(repository.gitDirectory, 'refs', 'heads', 'main'), `${signed}\n`)
  return { ...repository, shas: [...shas, signed], missing, canaries }
}

describe('a hostile repository', () => {
  it('has canaries that sing when plain git looks at it', () => {
    const { work, canaries } = hostileRepository()
    for (const args of [['status'], ['log', '-p', '--ext-diff'], ['diff', 'HEAD~1']])
      try {
        execFileSync('git', args, {
          cwd: work,
          stdio: 'ignore',
          env: { PATH: process.env.PATH, HOME: work, GIT_CONFIG_NOSYSTEM: '1' },
        })
      } catch {
        // Some canaries are no good at what they stand in for.
      }
    expect(readdirSync(canaries).length).toBeGreaterThan(2)
  })

  it('runs nothing, whatever is asked', async () => {
    const { work, shas, missing, canaries, gitDirectory } = hostileRepository()
    const head = shas[3]!
    // One object is missing, so that git would like to fetch it.
    rmSync(join(gitDirectory, 'objects', missing.slice(0, 2), missing.slice(2)))
    for (const left of readdirSync(canaries)) rmSync(join(canaries, left))
    const singing = (): string[] => readdirSync(canaries)

    const opened = await open(work)
    expect(singing()).toEqual([])
    expect(opened.facts).toMatchObject({ head, partial: true })
    expect((await listRefs(opened)).length).toBe(1)
    expect(await resolveRevision(opened, 'main~1')).toBe(shas[2])
    expect(singing()).toEqual([])
    const history = gitHistory(opened)
    await history.stamp()
    const { documents, skipped } = await readAll(opened)
    expect(singing()).toEqual([])
    expect(documents.map(document => document.path)).toEqual([head, shas[2]])
    // The one that brought the missing object, and the one that changed it.
    expect(skipped.map(skip => skip.path)).toEqual([shas[1], shas[0]])
    expect(documents.find(document => document.path === shas[2])!.text).toContain('+three')
    const lines = await blame(opened, { rev: head, path: 'a.txt', ignoreWhitespace: true })
    expect(new Set(lines.map(group => group.sha)).has(shas[2]!)).toBe(true)
    expect(singing()).toEqual([])
    expect(
      (await touching(opened, { rev: head, path: 'a.txt', start: 1, end: 3, limit: 10 })).shas.length,
    ).toBeGreaterThan(0)
    expect((await fileAt(opened, head, 'a.txt'))?.text).toContain('three')
    await fileAt(opened, shas[0]!, 'b.evil').catch(() => null)
    expect((await commitDiff(opened, shas[2]!)).commit?.message).toBe('three')
    await commitDiff(opened, shas[0]!).catch(() => null)
    expect(singing()).toEqual([])
    expect(existsSync(join(work, 'canary'))).toBe(false)
  })
})
