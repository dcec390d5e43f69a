import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gitRepository } from '../../fixtures/git-repository.js'
import { open, readAll } from './open.js'

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

describe('odd commits', () => {
  /** A repository whose only commit is made of these bytes. */
  const only = async (bytes: Buffer) => {
    const repository = gitRepository()
    repository.pipe('', 'hash-object', '-t', 'tree', '-w', '--stdin')
    const sha = repository.rawCommit(bytes)
    writeFileSync(join(repository.gitDirectory, 'refs', 'heads', 'main'), `${sha}\n`)
    const { documents, skipped } = await readAll(repository.work)
    expect(skipped).toEqual([])
    expect(documents.map(document => document.path)).toEqual([sha])
    return documents[0]!.commit!
  }
  const commitOf = (who: string, time: string, message: string, header = ''): Buffer =>
    Buffer.from(
      `tree ${EMPTY_TREE}\nauthor ${who} ${time} +0000\ncommitter ${who} ${time} +0000\n${header}\n${message}`,
      'latin1',
    )

  it.each([
    ['-1000000', 0],
    ['0', 0],
    ['4102444800', 4_102_444_800_000],
    ['99999999999999999999', 0],
  ])('has a time for the date %s', async (time, expected) => {
    const { committed, authored } = await only(commitOf('A <a@b>', time, 'x'))
    expect([committed, authored]).toEqual([expected, expected])
  })

  it('reads Latin-1 messages, with or without the header that says so', async () => {
    const declared = await only(
      commitOf('Jos\xe9 <j@x>', '1000000000', 'r\xe9sum\xe9', 'encoding ISO-8859-1\n'),
    )
    expect([declared.author, declared.message]).toEqual(['José', 'résumé'])
    const silent = await only(commitOf('Jos\xe9 <j@x>', '1000000000', 'r\xe9sum\xe9'))
    expect([silent.author, silent.message]).toEqual(['José', 'résumé'])
    const wrong = await only(
      commitOf('A <a@b>', '1000000000', 'caf\xc3\xa9 \xff', 'encoding no-such-encoding\n'),
    )
    expect(wrong.message.isWellFormed()).toBe(true)
  })

  it('cuts a message of a megabyte, at a whole character', async () => {
    const { message } = await only(
      Buffer.concat([commitOf('A <a@b>', '1000000000', 'x'), Buffer.from('é'.repeat(500_000))]),
    )
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(65_536)
    expect(Buffer.byteLength(message)).toBeGreaterThan(65_000)
    expect(message).toMatch(/^xé+$/)
  })

  it.each([
    ['an empty name', ' <>', '', ''],
    ['quotes and brackets', `O"Brien '\`$(x)\` <we<ird@x>`, undefined, undefined],
    ['a name of 100 kB', `${'n'.repeat(100_000)} <a@b>`, 'n'.repeat(65_535), 'a@b'],
    ['control characters', '\x1b[31mred\x07 <a@b>', undefined, 'a@b'],
  ])('takes %s', async (_, who, author, email) => {
    const commit = await only(commitOf(who, '1000000000', 'message'))
    expect(commit.message).toBe('message')
    if (author !== undefined) expect(commit.author).toBe(author)
    if (email !== undefined) expect(commit.email).toBe(email)
  })

  it('is not confused by messages and files that look like its own frame', async () => {
    const repository = gitRepository()
    const frame = '\n=\n\ndiff --git a/x b/x\n=\ndiff --git a/y b/y\n@@ -1 +1 @@\n=\n'
    const one = repository.commit(`subject${frame}end`, { 'a.txt': `first${frame}last` })
    const two = repository.commit('=', { '=': '=\n', 'b.txt': Buffer.from(`${'x\n'.repeat(9000)}\0\n=\n`) })
    const { documents } = await readAll(repository.work)
    expect(documents.map(document => document.path)).toEqual([two, one])
    expect(documents[1]!.commit!.message).toBe(`subject${frame}end`)
    expect(documents[1]!.text.match(/^diff --git /gm)).toHaveLength(1)
    expect(documents[0]!.text).toContain('\ufffd')
    expect(documents[0]!.text).not.toContain('\0')
  })

  it('reads names with every odd character, and says them unquoted where it leaves files out', async () => {
    const repository = gitRepository()
    const names = [
      'with blank.bin',
      'tab\tin.bin',
      'new\nline.bin',
      'quo"te.bin',
      'back\\slash.bin',
      'é.bin',
      '-rf.bin',
      'x b/x.bin',
    ]
    repository.commit('binary', Object.fromEntries(names.map(name => [name, Buffer.from([0, 1, 2])])))
    const { documents } = await readAll(repository.work)
    expect(documents[0]!.omitted!.map(omitted => omitted.path).sort()).toEqual([...names].sort())
    expect(new Set(documents[0]!.omitted!.map(omitted => omitted.reason))).toEqual(new Set(['binary']))
    expect(documents[0]!.text).toBe('')
    const plain = gitRepository()
    plain.commit('text', Object.fromEntries(names.map(name => [name, 'text\n'])))
    const { documents: whole } = await readAll(plain.work, { maxFileBytes: 10 })
    expect(whole[0]!.omitted!.map(omitted => omitted.path).sort()).toEqual([...names].sort())
  })

  it('names what it leaves out: submodules, lock files, vendored, minified, secret', async () => {
    const repository = gitRepository()
    const module = gitRepository()
    module.commit('x', { f: 'x' })
    repository.git('submodule', '--quiet', 'add', module.work, 'sub')
    repository.write({
      '.gitmodules': '[submodule "s"]\n\tpath = "sub\\r"\n\turl = x\n\tupdate = !touch canary\n',
    })
    repository.commit('all kinds', {
      'package-lock.json': '{}\n',
      'vendor/lib.js': 'x\n',
      'app.min.js': 'x\n',
      'bundle.js': `${'a=1;'.repeat(20_000)}\n`,
      '.env': 'KEY=1\n',
      'kept.js': 'x\n',
    })
    const { documents } = await readAll(repository.work)
    expect(Object.fromEntries(documents[0]!.omitted!.map(({ path, reason }) => [path, reason]))).toEqual({
      '.env': 'secret',
      'app.min.js': 'minified',
      'bundle.js': 'minified',
      'package-lock.json': 'ignored-kind',
      sub: 'submodule',
      'vendor/lib.js': 'vendored',
    })
    expect(documents[0]!.text.match(/^\+\+\+ .*/gm)).toEqual(['+++ b/.gitmodules', '+++ b/kept.js'])
  })

  it('names the function around a hunk in many languages', async () => {
    const filler = (comment: string) =>
      Array.from({ length: 8 }, (_, line) => `    ${comment} ${line}`).join('\n')
    const files: Record<string, [string, string]> = {
      'a.ts': ['export class Session {\n  async mount(prefix: string): Promise<void> {', 'mount'],
      'b.js': ['const retry = async (request) => {', 'retry'],
      'c.py': ['class Session:\n    def mount(self):', 'mount'],
      'd.go': ['func (s *Session) Mount() {', 'Mount'],
      'e.swift': ['public final class Player {\n    override func play() {', 'play'],
      'f.scala': ['object Bakery {\n  private def bake(x: Int) = {', 'bake'],
      'g.lua': ['local function scan(text)', 'scan'],
      'h.hs': ['lexer :: String -> [Token]', 'lexer'],
      'i.zig': ['pub fn alloc(self: *Arena) void {', 'alloc'],
      'j.rs': ['impl Matrix {\n    pub fn rank(&self) {', 'rank'],
    }
    const repository = gitRepository()
    const content = (last: string) =>
      Object.fromEntries(
        Object.entries(files).map(([name, [head]]) => [name, `${head}\n${filler('// step')}\n    ${last}\n`]),
      )
    repository.commit('one', content('before'))
    repository.commit('two', content('after'))
    const { documents } = await readAll(repository.work)
    const headers = [...documents[0]!.text.matchAll(/^\+\+\+ b\/(.*)\n@@ .* @@ (.*)$/gm)]
    expect(headers).toHaveLength(Object.keys(files).length)
    for (const [, name, header] of headers) expect(header).toContain(files[name!]![1])
  })

  it('reads a SHA-256 repository', async () => {
    const repository = gitRepository(undefined, { objectFormat: 'sha256' })
    const sha = repository.commit('one', { a: '1' })
    expect(sha).toHaveLength(64)
    const opened = await open(repository.work)
    expect(opened.facts.objectFormat).toBe('sha256')
    expect((await readAll(opened)).documents.map(document => document.path)).toEqual([sha])
  })
})
