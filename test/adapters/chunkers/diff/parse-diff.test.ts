import { describe, expect, it } from 'vitest'
import { parseDiff } from '../../../../dist/adapters/chunkers/diff/parse-diff.js'
import { hunkText, modified } from './diff-text.js'

const summary = (text: string) =>
  parseDiff(text).map(({ path, oldPath, change, hunks }) => ({ path, oldPath, change, hunks: hunks.length }))

const shown = (text: string): string[] =>
  parseDiff(text).flatMap(section => section.hunks.map(hunk => text.slice(hunk.start, hunk.end)))

describe('sections', () => {
  it.each([
    ['nothing', '', []],
    ['no diff', '\n\nsome words\n', []],
    [
      'an addition',
      'diff --git a/x.ts b/x.ts\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/x.ts\n@@ -0,0 +1 @@\n+one\n',
      [{ path: 'x.ts', oldPath: 'x.ts', change: 'added', hunks: 1 }],
    ],
    [
      'an empty addition',
      'diff --git a/a b/c d b/a b/c d\nnew file mode 100644\nindex 0000000..e69de29\n',
      [{ path: 'a b/c d', oldPath: 'a b/c d', change: 'added', hunks: 0 }],
    ],
    [
      'a deletion',
      'diff --git a/x.ts b/x.ts\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/x.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n',
      [{ path: 'x.ts', oldPath: 'x.ts', change: 'deleted', hunks: 1 }],
    ],
    [
      'a pure rename',
      'diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n',
      [{ path: 'new', oldPath: 'old', change: 'renamed', hunks: 0 }],
    ],
    [
      'a copy with a change',
      'diff --git a/old b/new\nsimilarity index 90%\ncopy from old\ncopy to new\nindex 1..2 100644\n--- a/old\n+++ b/new\n@@ -1 +1 @@\n-a\n+b\n',
      [{ path: 'new', oldPath: 'old', change: 'copied', hunks: 1 }],
    ],
    [
      'a mode',
      'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n',
      [{ path: 'run.sh', oldPath: 'run.sh', change: 'modified', hunks: 0 }],
    ],
    [
      'a binary file',
      'diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n',
      [{ path: 'x.png', oldPath: 'x.png', change: 'modified', hunks: 0 }],
    ],
    [
      'a binary patch',
      'diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZQzU}RumU}Rumd@@ -1 +1 @@\n\nliteral 0\nHcmV?d00001\n\n',
      [{ path: 'x', oldPath: 'x', change: 'modified', hunks: 0 }],
    ],
    [
      'quoted names',
      'diff --git "a/caf\\303\\251\\t\\"x\\".ts" "b/caf\\303\\251\\t\\"x\\".ts"\nold mode 100644\nnew mode 100755\n' +
        'diff --git "a/\\\\.c" "b/\\\\.c"\n--- "a/\\\\.c"\n+++ "b/\\\\.c"\n@@ -1 +1 @@\n-a\n+b\n',
      [
        { path: 'café\t"x".ts', oldPath: 'café\t"x".ts', change: 'modified', hunks: 0 },
        { path: '\\.c', oldPath: '\\.c', change: 'modified', hunks: 1 },
      ],
    ],
    [
      'names that are no UTF-8',
      'diff --git "a/\\377" "b/\\377"\nold mode 100644\nnew mode 100755\n',
      [{ path: '\ufffd', oldPath: '\ufffd', change: 'modified', hunks: 0 }],
    ],
    [
      'a name with blanks',
      'diff --git a/my file.ts b/my file.ts\n--- a/my file.ts\t\n+++ b/my file.ts\t\n@@ -1 +1 @@\n-a\n+b\n',
      [{ path: 'my file.ts', oldPath: 'my file.ts', change: 'modified', hunks: 1 }],
    ],
    [
      'a merge, of which only the name is read',
      'diff --cc src/x.ts\nindex 1,2..3\n--- a/src/x.ts\n+++ b/src/x.ts\n@@@ -1,1 -1,1 +1,2 @@@\n  a\n++b\n' +
        modified('y', hunkText(['-a', '+b'])),
      [
        { path: 'src/x.ts', oldPath: 'src/x.ts', change: 'modified', hunks: 0 },
        { path: 'y', oldPath: 'y', change: 'modified', hunks: 1 },
      ],
    ],
  ])('reads %s', (_, text, expected) => expect(summary(text)).toEqual(expected))
})

describe('hunks', () => {
  it('reads numbers, the name behind them and lines', () => {
    const text = modified('x.py', '@@ -10,2 +11,3 @@ def run(self):\n a\n+b\n c', '@@ -20 +22,0 @@\n-gone')
    const [first, second] = parseDiff(text)[0]!.hunks
    expect(first).toMatchObject({
      oldStart: 10,
      oldCount: 2,
      newStart: 11,
      newCount: 3,
      context: 'def run(self):',
    })
    expect(second).toMatchObject({ oldStart: 20, oldCount: 1, newStart: 22, newCount: 0, context: '' })
    expect(first!.lines.map(at => text[at])).toEqual([' ', '+', ' '])
  })

  it('trusts the counts, not the looks of lines', () => {
    const body = [
      '--- a/x',
      '+++ b/x',
      '-diff --git a/x b/x',
      '+@@ -1,5 +1,5 @@',
      ' diff --git a/y b/y',
      '--- ',
      '+++ /dev/null',
      '+rename from a',
      '-deleted file mode 100644',
    ]
    const text = modified('real', hunkText(body)) + modified('second', hunkText(['-a', '+b']))
    expect(summary(text)).toEqual([
      { path: 'real', oldPath: 'real', change: 'modified', hunks: 1 },
      { path: 'second', oldPath: 'second', change: 'modified', hunks: 1 },
    ])
    expect(shown(text)[0]).toBe(hunkText(body))
  })

  it('keeps remarks on missing line ends with their hunk', () => {
    const hunk = '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file'
    const text = modified('x', hunk) + modified('y', hunkText([' a', '+b']))
    expect(shown(text)).toEqual([hunk, hunkText([' a', '+b'])])
    expect(parseDiff(text)[0]!.hunks[0]).toMatchObject({ oldCount: 1, newCount: 1 })
  })

  it('keeps carriage returns and empty context lines without their blank', () => {
    const hunk = '@@ -1,3 +1,3 @@\n a\r\n\n-b\r\n+c\r'
    expect(shown(modified('x', hunk))).toEqual([hunk])
  })

  it('takes what is there of a diff that was cut off', () => {
    const text = `${modified('x', '@@ -1,9 +1,9 @@\n a\n-b\n+c')}${modified('y', hunkText(['+a']))}`
    expect(summary(text).map(({ path, hunks }) => [path, hunks])).toEqual([
      ['x', 1],
      ['y', 1],
    ])
    expect(parseDiff(text)[0]!.hunks[0]).toMatchObject({ oldCount: 2, newCount: 2 })
    expect(shown('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-')).toEqual([
      '@@ -1,2 +1,2 @@\n a\n-',
    ])
    expect(summary('diff --git a/x b/')).toEqual([])
    expect(summary('diff --git ')).toEqual([])
  })
})
