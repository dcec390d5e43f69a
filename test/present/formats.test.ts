import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerJson, answerLine, answerMarkdown, hitLines } from '../../dist/present/index.js'
import { answerOf, hitOf } from './answer.js'

describe('JSON', () => {
  it('has exactly the documented keys in the documented order', () => {
    const parsed = JSON.parse(answerJson(answerOf([hitOf()])))
    expect(Object.keys(parsed)).toEqual(['query', 'hits', 'warnings', 'index'])
    expect(Object.keys(parsed.hits[0])).toEqual([
      'id',
      'kind',
      'path',
      'startLine',
      'endLine',
      'symbol',
      'language',
      'score',
      'text',
    ])
    const explained = JSON.parse(answerJson(answerOf([hitOf({ explain: [] })])))
    expect(Object.keys(explained.hits[0]).at(-1)).toBe('explain')
  })

  it('puts the id of a question first and stays on one line', () => {
    const line = answerLine(answerOf([hitOf({ text: 'a\nb\u2028c' })]), 'q-1')
    expect(line.startsWith('{"id":"q-1","query":')).toBe(true)
    expect(line.indexOf('\n')).toBe(line.length - 1)
    expect(answerLine(answerOf([])).startsWith('{"query":')).toBe(true)
  })

  it('prints one hit a line', () => {
    const lines = hitLines(answerOf([hitOf(), hitOf({ path: 'b' })]))
      .trimEnd()
      .split('\n')
    expect(lines.map(line => JSON.parse(line).path)).toEqual(['src/http/retry.ts', 'b'])
    expect(hitLines(answerOf([]))).toBe('')
  })

  it('keeps raw text but for lone surrogates, which strict parsers refuse', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const json = answerJson(answerOf([hitOf({ text })]))
        expect(JSON.parse(json).hits[0].text).toBe(text.toWellFormed())
        // Pairs are fine: so are characters spelled that cannot be seen.
        expect(json).not.toMatch(/\\ud[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..)\\ud[c-f]/i)
      }),
    )
  })
})

describe('Markdown', () => {
  it('shows hits as fenced code', () => {
    expect(answerMarkdown(answerOf([hitOf({ text: 'retry()' })]))).toBe(
      '### `src/http/retry.ts:10` `retryWithBackoff`\n\n```typescript\nretry()\n```\n',
    )
    expect(answerMarkdown(answerOf([hitOf()]), { detail: 'compact' })).toBe(
      '- `src/http/retry.ts:10` `retryWithBackoff`\n',
    )
  })

  it('cannot be escaped by text with fences', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '``', '```', '~~~', '\n', 'x'), { maxLength: 30 }), parts => {
        const text = parts.join('')
        const lines = answerMarkdown(answerOf([hitOf({ text, path: text || 'x' })]), {
          detail: 'full',
        }).split('\n')
        const fence = /^`{3,}/.exec(lines[2]!)![0]
        const closing = lines.findIndex(
          (line, position) => position > 2 && /^`+$/.test(line) && line.length >= fence.length,
        )
        expect(
          lines
            .slice(closing + 1)
            .join('')
            .trim(),
        ).toBe('')
      }),
    )
  })
})
