/** What git itself prints for each kind of change. */

import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { diffChunker } from '../../../../dist/adapters/chunkers/diff/index.js'
import { parseDiff } from '../../../../dist/adapters/chunkers/diff/parse-diff.js'
import { commitOf, git } from './diff-text.js'

const directory = mkdtempSync(join(tmpdir(), 'quarry-diff-kinds-'))
const at = (path: string): string => join(directory, path)
const text = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join('')
let diff = ''

beforeAll(() => {
  git(directory, 'init', '-q')
  mkdirSync(at('src'))
  for (const name of [
    'changed.txt',
    'gone.txt',
    'moved.txt',
    'moved and changed.txt',
    'mode.sh',
    'tab\tand "quote".txt',
    'naïve.txt',
  ])
    writeFileSync(at(name), `${name}\n${text}`)
  writeFileSync(at('crlf.txt'), 'a\r\nb\r\nc\r\n')
  writeFileSync(at('end.txt'), 'a\nb')
  writeFileSync(at('binary.bin'), Buffer.from([0, 1, 2, 3]))
  writeFileSync(at('link'), 'was a file\n')
  git(directory, 'add', '-A')
  git(directory, 'commit', '-q', '-m', 'first')

  writeFileSync(
    at('changed.txt'),
    `changed.txt\n${text.replace('line 3\n', '').replace('line 30\n', 'line thirty\n')}`,
  )
  unlinkSync(at('gone.txt'))
  renameSync(at('moved.txt'), at('src/moved.txt'))
  renameSync(at('moved and changed.txt'), at('src/moved and changed.txt'))
  writeFileSync(at('src/moved and changed.txt'), `other\n${text}`)
  chmodSync(at('mode.sh'), 0o755)
  writeFileSync(at('tab\tand "quote".txt'), 'x\n')
  writeFileSync(at('naïve.txt'), `naïve.txt\n${text}more\n`)
  writeFileSync(at('crlf.txt'), 'a\r\nB\r\nc\r\n')
  writeFileSync(at('end.txt'), 'a\nc')
  writeFileSync(at('binary.bin'), Buffer.from([0, 9, 9, 9]))
  writeFileSync(at('empty.txt'), '')
  writeFileSync(at('src/new file.py'), 'def run():\n    pass\n')
  unlinkSync(at('link'))
  symlinkSync('changed.txt', at('link'))
  git(directory, 'add', '-A')
  git(directory, 'commit', '-q', '-m', 'second')
  diff = git(directory, 'log', '-1', '-p', '-U3', '-M', '--format=')
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

it('reads every kind of change', () => {
  const rows = parseDiff(diff).map(({ path, oldPath, change, hunks }) => [
    path,
    oldPath,
    change,
    hunks.length,
  ])
  expect(rows.sort()).toEqual(
    [
      ['binary.bin', 'binary.bin', 'modified', 0],
      ['changed.txt', 'changed.txt', 'modified', 2],
      ['crlf.txt', 'crlf.txt', 'modified', 1],
      ['empty.txt', 'empty.txt', 'added', 0],
      ['end.txt', 'end.txt', 'modified', 1],
      ['gone.txt', 'gone.txt', 'deleted', 1],
      ['link', 'link', 'added', 1],
      ['link', 'link', 'deleted', 1],
      ['mode.sh', 'mode.sh', 'modified', 0],
      ['naïve.txt', 'naïve.txt', 'modified', 1],
      ['src/moved and changed.txt', 'moved and changed.txt', 'renamed', 1],
      ['src/moved.txt', 'moved.txt', 'renamed', 0],
      ['src/new file.py', 'src/new file.py', 'added', 1],
      ['tab\tand "quote".txt', 'tab\tand "quote".txt', 'modified', 1],
    ].sort(),
  )
})

it('cuts every hunk exactly once, all of the diff but its headers', async () => {
  const [commit, ...shown] = await diffChunker().chunk(commitOf(diff, 'second'))
  const hunks = shown.filter(({ text }) => text.startsWith('@@'))
  expect(shown.filter(chunk => !hunks.includes(chunk))).toMatchObject([
    {
      text: 'rename from moved.txt\nrename to src/moved.txt',
      file: { path: 'src/moved.txt', oldPath: 'moved.txt', change: 'renamed' },
    },
  ])
  expect(hunks).toHaveLength(diff.match(/^@@ /gm)!.length)
  let found = 0
  for (const hunk of hunks) {
    found = diff.indexOf(hunk.text, found)
    expect(found).toBeGreaterThanOrEqual(0)
    found += hunk.text.length
  }
  expect(commit!.fields!.path!.split('\n')).toContain('mode.sh')
  expect(hunks.find(hunk => hunk.file?.path === 'src/new file.py')).toMatchObject({
    startLine: 1,
    endLine: 2,
    symbols: [{ name: 'run', line: 1 }],
    file: { language: 'python', change: 'added' },
  })
  expect(hunks.find(hunk => hunk.file?.path === 'end.txt')!.text.match(/No newline/g)).toHaveLength(2)
})
