import { describe, expect, it } from 'vitest'
import { diffChunker } from '../../../../dist/adapters/chunkers/diff/index.js'
import { parseDiff } from '../../../../dist/adapters/chunkers/diff/parse-diff.js'
import { applyHunks, commitOf, hunkText, linesOf, modified } from './diff-text.js'

const chunker = diffChunker()

const MESSAGE = 'Retry on 429\n\nServers ask for it.\n\nSigned-off-by: Ada <ada@example.org>\n'

const DIFF = [
  modified('CHANGELOG.md', hunkText([' # Changes', '+- retries'])),
  modified('docs/retry.md', hunkText(['+How to retry'])),
  modified(
    'tests/test_retry.py',
    hunkText(['+def test_retry():', '+    assert retry()', '-old_assertion()']),
  ),
  modified('src/retry.py', hunkText([' def retry():', '-    return None', '+    return again()'], '', 4)),
  'diff --git a/src/old.py b/src/new.py\nsimilarity index 100%\nrename from src/old.py\nrename to src/new.py\n',
  'diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\n',
].join('')

describe('the commit', () => {
  it('is the first chunk, searched by fields', async () => {
    const [commit] = await chunker.chunk(commitOf(`\n${DIFF}`, MESSAGE))
    expect(commit).toEqual({
      startLine: 1,
      endLine: 5,
      text: MESSAGE.trimEnd(),
      header:
        'Retry on 429\nServers ask for it.\nsrc/retry.py src/new.py logo.png tests/test_retry.py\nretry test_retry Changes',
      symbols: [
        { name: 'retry', kind: 'function', qualifiedName: 'retry', line: 4 },
        { name: 'test_retry', kind: 'function', qualifiedName: 'test_retry', line: 1 },
        { name: 'Changes', kind: 'heading', qualifiedName: 'Changes', line: 1 },
      ],
      fields: {
        title: 'Retry on 429',
        header: MESSAGE.replace(/\nSigned-off-by.*/s, ''),
        path: 'src/retry.py\nsrc/new.py\nsrc/old.py\nlogo.png\ntests/test_retry.py\ndocs/retry.md\nCHANGELOG.md',
        symbols: 'retry\ntest_retry\nChanges',
        body: '    return again()\nHow to retry',
        tests: 'def test_retry():\n    assert retry()',
        removed: '    return None\nold_assertion()',
        notes: '- retries',
      },
    })
  })

  it('is all there is of a commit without changes', async () => {
    const chunks = await chunker.chunk(commitOf('', 'Nothing'))
    expect(chunks).toEqual([
      {
        startLine: 1,
        endLine: 1,
        text: 'Nothing',
        header: 'Nothing',
        symbols: [],
        fields: {
          title: 'Nothing',
          header: 'Nothing',
          path: '',
          symbols: '',
          body: '',
          tests: '',
          removed: '',
          notes: '',
        },
      },
    ])
  })

  it('may say nothing at all', async () => {
    const { commit: _, ...bare } = commitOf(DIFF)
    expect((await chunker.chunk(bare))[0]).toMatchObject({
      startLine: 1,
      endLine: 1,
      text: '',
      fields: { title: '' },
    })
  })

  it('knows what its source left out', async () => {
    const document = { ...commitOf(''), omitted: [{ path: 'yarn.lock', reason: 'ignored-kind' as const }] }
    expect((await chunker.chunk(document))[0]?.fields?.path).toBe('yarn.lock')
  })
})

describe('hunks', () => {
  it('are chunks in the order of the diff, shown but not searched', async () => {
    const [, ...hunks] = await chunker.chunk(commitOf(DIFF))
    expect(hunks.map(({ file, fields }) => [file?.path, file?.language, file?.change, fields])).toEqual([
      ['CHANGELOG.md', 'markdown', 'modified', null],
      ['docs/retry.md', 'markdown', 'modified', null],
      ['tests/test_retry.py', 'python', 'modified', null],
      ['src/retry.py', 'python', 'modified', null],
      ['src/new.py', 'python', 'renamed', null],
    ])
    expect(hunks[3]).toEqual({
      startLine: 4,
      endLine: 5,
      text: '@@ -4,2 +4,2 @@\n def retry():\n-    return None\n+    return again()',
      header: '',
      symbols: [{ name: 'retry', kind: 'function', qualifiedName: 'retry', line: 4 }],
      file: { path: 'src/retry.py', language: 'python', change: 'modified' },
      fields: null,
    })
  })

  it('of a pure deletion stand on the line before it', async () => {
    const deleted =
      'diff --git a/x.py b/x.py\ndeleted file mode 100644\n--- a/x.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n'
    const text = deleted + modified('y.py', '@@ -8,2 +7,0 @@ def run():\n-    a\n-    b')
    const [, first, second] = await chunker.chunk(commitOf(text))
    expect(first).toMatchObject({ startLine: 1, endLine: 1, file: { path: 'x.py', change: 'deleted' } })
    expect(second).toMatchObject({ startLine: 7, endLine: 7, header: 'def run():' })
  })

  it('of a renamed file say where it was', async () => {
    const text =
      'diff --git a/a.py b/b.py\nsimilarity index 80%\nrename from a.py\nrename to b.py\n--- a/a.py\n+++ b/b.py\n@@ -1 +1 @@\n-a\n+b\n'
    const [, hunk] = await chunker.chunk(commitOf(text))
    expect(hunk?.file).toEqual({ path: 'b.py', language: 'python', change: 'renamed', oldPath: 'a.py' })
  })
})

describe('bounds', () => {
  it('cuts a hunk of 50,000 lines into hunks that say the same', async () => {
    const lines = Array.from({ length: 50_000 }, (_, index) =>
      index % 5 === 0
        ? `def function_${index}():`
        : index % 5 === 1
          ? `    return "${'x'.repeat(index % 90)}"`
          : `    a${index}`,
    )
    const old = lines.map(line => `${line}\n`).join('')
    const diffLines = lines.flatMap((line, index) =>
      index % 3 === 0
        ? [`-${line}`, `+${line} # new`]
        : index % 7 === 0 && index % 5 !== 0
          ? [`-${line}`]
          : [` ${line}`],
    )
    const [commit, ...parts] = await chunker.chunk(
      commitOf(modified('big.py', hunkText(diffLines, 'class Big:'))),
    )
    expect(parts.length).toBeGreaterThan(100)
    for (const part of parts) {
      expect(linesOf(part.text).length).toBeLessThanOrEqual(402)
      expect(part.fields).toBeNull()
    }
    const whole = modified('big.py', ...parts.map(part => part.text))
    const [section] = parseDiff(whole)
    const expected = diffLines.filter(line => !line.startsWith('-')).map(line => `${line.slice(1)}\n`)
    expect(applyHunks(whole, section!, old)).toBe(expected.join(''))
    for (const [index, part] of parts.entries()) {
      expect(part.startLine).toBe(index === 0 ? 1 : parts[index - 1]!.endLine + 1)
      for (const { line, name } of part.symbols.slice(1)) expect(expected[line - 1]).toContain(name)
    }
    expect(parts.at(-1)!.endLine).toBe(expected.length)
    expect(parts[0]!.header).toBe('class Big:')
    expect(parts[1]!.header).toMatch(/^def function_\d+\(\):/)
    expect(commit!.symbols.length).toBe(64)
  })

  it('keeps parts of one-sided changes numbered as git would', async () => {
    const removed = Array.from({ length: 900 }, (_, index) => `-${index}`)
    const text = modified('x.txt', hunkText([' first', ...removed, ' last']))
    const [, ...parts] = await chunker.chunk(commitOf(text))
    expect(parts.map(part => part.text.split('\n')[0])).toEqual([
      '@@ -1,400 +1 @@',
      '@@ -401,400 +1,0 @@',
      '@@ -801,102 +2 @@',
    ])
    const again = modified('x.txt', ...parts.map(part => part.text))
    const old = ['first', ...removed.map(line => line.slice(1)), 'last'].map(line => `${line}\n`).join('')
    expect(applyHunks(again, parseDiff(again)[0]!, old)).toBe('first\nlast\n')
  })

  it('leaves a last line and the remark on it together', async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `+${index}`)
    const [, ...parts] = await chunker.chunk(
      commitOf(modified('x.txt', `@@ -0,0 +1,400 @@\n${lines.join('\n')}\n\\ No newline at end of file`)),
    )
    expect(parts).toHaveLength(1)
    expect(parts[0]!.text.endsWith('+399\n\\ No newline at end of file')).toBe(true)
  })

  it('cuts hunks with long lines by their characters', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `+${`${index} `.repeat(5_000)}`)
    const [, ...parts] = await chunker.chunk(commitOf(modified('x.js', hunkText(lines))))
    expect(parts.length).toBeGreaterThan(4)
    for (const part of parts) expect(part.text.length).toBeLessThanOrEqual(66_000)
    expect(parts.flatMap(part => part.text.split('\n').slice(1))).toEqual(lines)
  })

  it('cuts every field of a giant commit', async () => {
    const emoji = '😀'.repeat(200)
    const added = Array.from({ length: 2_000 }, (_, index) => `+def name_${index}(): ${emoji}`)
    const removed = Array.from({ length: 2_000 }, () => `-${emoji}`)
    const files = Array.from(
      { length: 20_000 },
      (_, index) => `diff --git a/f/${index} b/f/${index}\nold mode 1\nnew mode 2\n`,
    )
    const text = [
      modified('a.py', hunkText([...added, ...removed])),
      modified('tests/a.py', hunkText(added)),
      modified('CHANGELOG.md', hunkText(added)),
      ...files,
    ].join('')
    const message = `${'word '.repeat(100_000)}\n\n${'line\n'.repeat(100_000)}`
    const [commit] = await chunker.chunk(commitOf(text, message))
    const fields = commit!.fields!
    for (const [name, value] of Object.entries(fields)) {
      expect(value.length, name).toBeLessThanOrEqual(name === 'header' || name === 'title' ? 8_192 : 200_000)
      expect(value.isWellFormed(), name).toBe(true)
      expect(value.length, name).toBeGreaterThan(8_000)
    }
    expect(commit!.header.length).toBeLessThan(9_000)
    expect(commit!.text).toBe(message.trimEnd())
    expect(commit!.endLine).toBe(100_002)
  })

  it('is not held up by one line of ten megabytes', async () => {
    const line = `+${'a(b){'.repeat(2_000_000)}`
    const started = performance.now()
    const [commit, hunk] = await chunker.chunk(
      commitOf(modified('x.js', hunkText([' function a() {', line]))),
    )
    expect(performance.now() - started).toBeLessThan(1_000)
    expect(hunk!.text.length).toBeLessThan(200)
    expect(commit!.fields!.body).toBe('')
  })

  it('looks at lines that were made to be slow in no time', async () => {
    const atoms = ['a ', 'a::', '<', '(', ')', '):{', 'public ', '@a() ', 'for ', ':', '=> ', 'A ', 'x.', '&']
    const lines = atoms.flatMap(one => atoms.map(two => `+a(${one}${two}`.padEnd(300, one + two)))
    const text = ['a.ts', 'a.cpp', 'A.java', 'a.rs', 'a.hs', 'a.kt', 'a.swift', 'a.cs']
      .map(path => modified(path, hunkText(lines)))
      .join('')
    const started = performance.now()
    await chunker.chunk(commitOf(text))
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

it('stops when it is told to', async () => {
  await expect(chunker.chunk(commitOf(DIFF), AbortSignal.abort())).rejects.toMatchObject({
    code: 'CANCELLED',
  })
})

it('names its way of cutting', () => expect(chunker.id).toMatch(/^diff\/\d+$/))
