/** What git says of random edits, read and applied to the old file, is the new file. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { diffChunker } from '../../../../dist/adapters/chunkers/diff/index.js'
import { parseDiff } from '../../../../dist/adapters/chunkers/diff/parse-diff.js'
import { applyHunks, commitOf, git } from './diff-text.js'

const directory = mkdtempSync(join(tmpdir(), 'quarry-diff-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const RUNS = 10
const FILES = 200

const line = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', '  c', '}', '', ' ', '\t') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '-- a/x',
      '--- a/x',
      '++ b/x',
      '+++ b/x',
      'diff --git a/x b/x',
      '@@ -1,3 +1,4 @@ function x',
      '\\ No newline at end of file',
      'rename from x',
      'GIT binary patch',
      'with carriage return\r',
      '\r',
      'ünïcödé 😀\u2028',
      'def run(self):',
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'binary', maxLength: 12 })
      .map(text => text.replaceAll('\n', '').toWellFormed()),
  },
)

const edit = fc.record({
  at: fc.nat(60),
  remove: fc.nat(3),
  add: fc.array(line, { maxLength: 3 }),
})

const pair = fc
  .record({
    before: fc.array(line, { maxLength: 60 }),
    edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
    ends: fc.tuple(fc.boolean(), fc.boolean()),
  })
  .map(({ before, edits, ends }) => {
    const after = [...before]
    for (const { at, remove, add } of edits) after.splice(Math.min(at, after.length), remove, ...add)
    const [oldEnd, newEnd] = ends
    return { old: before.join('\n') + (oldEnd ? '\n' : ''), new: after.join('\n') + (newEnd ? '\n' : '') }
  })

it(`parses and applies ${RUNS * FILES} diffs`, async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(pair, { minLength: FILES, maxLength: FILES }),
      fc.constantFrom(3, 0),
      async (pairs, context) => {
        const place = join(directory, `${run++}`)
        for (const side of ['old', 'new'] as const) {
          mkdirSync(join(place, side), { recursive: true })
          for (const [index, texts] of pairs.entries())
            writeFileSync(join(place, side, `${index}.py`), texts[side])
        }
        const diff = git(place, 'diff', '--no-index', '--no-renames', '--text', `-U${context}`, 'old', 'new')
        const sections = new Map(parseDiff(diff).map(section => [section.path, section]))
        for (const [index, texts] of pairs.entries()) {
          const section = sections.get(`new/${index}.py`)
          if (texts.old === texts.new) expect(section).toBeUndefined()
          else expect(applyHunks(diff, section!, texts.old), `${index}.py`).toBe(texts.new)
        }
        await expectWholeChunks(diff)
        rmSync(place, { recursive: true })
      },
    ),
    {
      numRuns: RUNS,
      endOnFailure: true,
      // The counterexample is 200 files; what failed in which of them is in the error.
      reporter: ({ failed, seed, errorInstance }) => {
        if (failed) throw new Error(`with seed ${seed}`, { cause: errorInstance })
      },
    },
  )
})

/** Each hunk is one chunk that says what the diff says; its names lie in its lines. */
const expectWholeChunks = async (diff: string): Promise<void> => {
  const [, ...chunks] = await diffChunker().chunk(commitOf(diff))
  const hunks = parseDiff(diff).flatMap(section => section.hunks)
  expect(chunks.map(chunk => chunk.text)).toEqual(hunks.map(hunk => diff.slice(hunk.start, hunk.end)))
  for (const { startLine, endLine, symbols } of chunks) {
    expect(startLine).toBeGreaterThanOrEqual(1)
    expect(endLine).toBeGreaterThanOrEqual(startLine)
    for (const symbol of symbols) {
      expect(symbol.line).toBeGreaterThanOrEqual(startLine)
      expect(symbol.line).toBeLessThanOrEqual(endLine)
    }
  }
}
