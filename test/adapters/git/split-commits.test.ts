import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commitSplitter, type RawCommit } from '../../../dist/adapters/git/split-commits.js'
import { unquotePath } from '../../../dist/text/unquote-path.js'

const options = { maxFileBytes: 200, maxCommitBytes: 500, judgePath: () => undefined }

const contentLine = fc
  .tuple(fc.constantFrom('+', '-', ' '), fc.string({ unit: 'binary' }))
  .map(([sign, text]) => `${sign}${text.replaceAll('\n', '')}\n`)
const section = fc
  .tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.array(contentLine, { maxLength: 12 }))
  .map(([name, lines]) => {
    const head = `diff --git a/${name} b/${name}\nindex 1..2 100644\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n`
    return { name, text: Buffer.from(head + lines.join('')) }
  })
const field = fc.string({ unit: 'binary' }).map(text => Buffer.from(text.replaceAll('\0', '')))
/** Nothing stands for a commit that git does not know. */
const commit = fc.option(
  fc.record({
    fields: fc.tuple(...Array.from({ length: 6 }, () => field)),
    sections: fc.array(section, { maxLength: 5 }),
    isMarked: fc.boolean(),
  }),
  { freq: 8 },
)

describe('cutting a stream into commits', () => {
  it('gives the same commits wherever the pieces end', () => {
    fc.assert(
      fc.property(fc.array(commit, { maxLength: 5 }), fc.array(fc.nat(400)), (commits, cuts) => {
        const bytes = Buffer.concat(
          commits.flatMap((made, index) => {
            if (made === null) return [Buffer.from('=\n')]
            const header = made.fields.flatMap(text => [Buffer.from([0]), text])
            const gap = Buffer.from(made.sections.length === 0 ? '\n' : '\n\n')
            return [
              ...header,
              Buffer.from([0]),
              gap,
              ...made.sections.map(({ text }) => text),
              Buffer.from(made.isMarked || index === commits.length - 1 ? '=\n' : ''),
            ]
          }),
        )
        const splitter = commitSplitter(options)
        const got: RawCommit[] = []
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = 1 + (cuts.length === 0 ? bytes.length : cuts[turn % cuts.length]!)
          got.push(...splitter.push(bytes.subarray(at, at + size)))
          at += size
        }
        const expected = commits.flatMap(made => {
          if (made === null) return []
          let total = 0
          const kept = made.sections.filter(({ text }) => {
            const fits = text.length <= options.maxFileBytes && total + text.length <= options.maxCommitBytes
            if (fits) total += text.length
            return fits
          })
          const omitted = made.sections.filter(one => !kept.includes(one)).map(({ name }) => name)
          return {
            fields: made.fields.map(text => text.toString('hex')),
            diff: Buffer.concat(kept.map(({ text }) => text)).toString('hex'),
            omitted,
          }
        })
        expect(
          got.map(one => ({
            fields: one.fields.map(text => text.toString('hex')),
            diff: one.diff.toString('hex'),
            omitted: one.omitted.map(({ path }) => path),
          })),
        ).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })

  it('unquotes names as git quotes them', () => {
    expect(unquotePath('plain name')).toBe('plain name')
    expect(unquotePath('"caf\\303\\251"')).toBe('café')
    expect(unquotePath('"tab\\tnew\\nquote\\"back\\\\bell\\a"')).toBe('tab\tnew\nquote"back\\bell\x07')
    expect(unquotePath('"é plain and \\001"')).toBe('é plain and \x01')
    expect(unquotePath('"bad \\377"')).toBe('bad \ufffd')
    expect(unquotePath('"')).toBe('"')
  })
})
