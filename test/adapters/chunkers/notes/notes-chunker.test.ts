/** Notes are cut where their authors would cut them, and no line is lost. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { notesChunker } from '../../../../dist/adapters/chunkers/notes/index.js'

const chunk = (language: string, text: string, path = 'diary/a.md') =>
  notesChunker().chunk({ kind: 'note', path, language, text, contentHash: '', stamp: '', time: 0 })

const places = (chunks: Awaited<ReturnType<typeof chunk>>) =>
  chunks.map(({ startLine, endLine, symbols }) => [
    startLine,
    endLine,
    symbols.map(({ name }) => name).join(),
  ])

describe('Markdown', () => {
  it('is cut at headings, with the trail of those above', async () => {
    const text = [
      ...['---', 'title: x', '# no heading', '---', '# Trip', '', 'Intro.', '## Day one', '', 'We walked.'],
      ...['```sh', '# a comment', '```', '', 'Day two', '-------', 'We swam.', '# End', '', 'Bye.'],
    ].join('\n')
    const chunks = await chunk('markdown', text)
    expect(places(chunks)).toEqual([
      [1, 4, ''],
      [5, 7, 'Trip'],
      [8, 13, 'Day one'],
      [15, 17, 'Day two'],
      [18, 20, 'End'],
    ])
    expect(chunks[2]).toMatchObject({
      header: 'diary/a.md :: Trip :: Day one',
      symbols: [{ name: 'Day one', kind: 'heading', qualifiedName: 'Trip › Day one', line: 8 }],
    })
  })

  it('keeps a bare heading with what follows it, and a list above a rule is no heading', async () => {
    expect(places(await chunk('markdown', '# A\n\n## B\n\ntext\n\n- item\n---\nmore'))).toEqual([
      [1, 9, 'A,B'],
    ])
  })
})

describe('a conversation', () => {
  it('is a chunk a turn, of the words alone, with the speaker as a name', async () => {
    const turns = [
      { session: 's', speaker: 'Ada', text: 'one\ntwo' },
      { session: 's', speaker: '', text: 'three' },
    ]
    const chunks = await chunk('conversation', turns.map(turn => JSON.stringify(turn)).join('\n'))
    expect(places(chunks)).toEqual([
      [1, 1, 'Ada'],
      [2, 2, ''],
    ])
    expect(chunks.map(({ text, header }) => [text, header])).toEqual([
      ['one\ntwo', ''],
      ['three', ''],
    ])
  })
})

describe('any text', () => {
  const line = fc.oneof(
    fc.constantFrom('', ' ', '# A', '## B', '```', '---', '===', '- x', '| a | b |'),
    fc.string({ maxLength: 200 }).map(text => text.replaceAll('\n', ' ')),
    fc.integer({ min: 0, max: 3 }).map(count => 'a long line 😀 '.repeat(count * 400)),
  )
  it.each(['markdown', 'text', 'note'])(
    'as %s: every line that is not blank is in a chunk, in order',
    async language => {
      await fc.assert(
        fc.asyncProperty(fc.array(line, { maxLength: 60 }), async lines => {
          const chunks = await chunk(language, lines.join('\n'))
          const covered = new Set<number>()
          let last = 0
          for (const { startLine, endLine, text } of chunks) {
            expect(startLine).toBeGreaterThanOrEqual(last)
            expect(text.isWellFormed()).toBe(lines.join('\n').isWellFormed())
            last = endLine
            for (let at = startLine; at <= endLine; at++) covered.add(at)
          }
          expect(
            lines.flatMap((text, at) => (text.trim() === '' || covered.has(at + 1) ? [] : [at + 1])),
          ).toEqual([])
          expect(chunks.every(({ text }) => text.length <= 10_000)).toBe(true)
        }),
        { numRuns: 150 },
      )
    },
  )
})
