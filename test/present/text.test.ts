import { describe, expect, it } from 'vitest'
import { answerText, closingLine, paintWith, warningText } from '../../dist/present/index.js'
import { answerOf, hitOf } from './answer.js'

const numbers = Array.from({ length: 40 }, (_, i) => `  step${i}()`)

describe('answerText', () => {
  it('shows path:line, the symbol and numbered lines', () => {
    expect(
      answerText(answerOf([hitOf(), hitOf({ path: 'b.py', startLine: 3, symbol: null, text: 'pass\n' })])),
    ).toBe(
      [
        'src/http/retry.ts:10  retryWithBackoff',
        '    10  export const retryWithBackoff = () => {',
        '    11    wait(100)',
        '    12  }',
        '',
        'b.py:3',
        '     3  pass',
        '',
      ].join('\n'),
    )
  })

  it('shows the lines with most words of the question, with their own numbers', () => {
    const text = ['def f():', ...numbers, '  # retried requests', '  send(request)', ...numbers].join('\n')
    const shown = answerText(answerOf([hitOf({ text, startLine: 100 })]))
    expect(shown).toContain('   141    # retried requests\n')
    expect(shown).toContain('   142    send(request)\n')
    expect(shown.split('\n')).toHaveLength(8)
  })

  it('shows the top of a chunk that shares no word with the question', () => {
    const shown = answerText(
      answerOf([hitOf({ text: ['', 'def f():', ...numbers].join('\n'), startLine: 100 })]),
    )
    expect(shown).toContain('   101  def f():\n')
  })

  it('shows whole chunks with detail full, one line a hit with detail compact', () => {
    const text = ['def f():', ...numbers, '  retry(request)'].join('\n')
    const answer = answerOf([hitOf({ text, startLine: 1 })])
    expect(answerText(answer, { detail: 'full' }).split('\n')).toHaveLength(44)
    expect(answerText(answer, { detail: 'compact' })).toBe(
      'src/http/retry.ts:42: retry(request)  (retryWithBackoff)\n',
    )
  })

  it('paints the words of the question by their stems, also inside identifiers', () => {
    const shown = answerText(answerOf([hitOf({ text: 'retryRequest(x) // retrying', symbol: null })]), {
      colour: true,
    })
    const word = (text: string) => paintWith(true).word(text)
    expect(shown).toContain(`${word('retry')}${word('Request')}(x) // ${word('retrying')}`)
  })

  it('links paths only when asked to', () => {
    const answer = answerOf([hitOf()])
    expect(answerText(answer, { link: (path, line) => `file:///repo/${path}#${line}` })).toContain(
      '\x1b]8;;file:///repo/src/http/retry.ts#10\x1b\\src/http/retry.ts:10\x1b]8;;\x1b\\',
    )
    expect(answerText(answer)).not.toContain('\x1b')
  })

  it('prints the ledger under its hit', () => {
    const explain = [
      { stage: 'text', score: 1, why: 'rank 1 in the text lane' },
      { stage: 'fusion', score: 0.0325, why: 'reciprocal ranks' },
    ]
    expect(answerText(answerOf([hitOf({ explain })]))).toContain(
      '        text      1.0000  rank 1 in the text lane\n        fusion    0.0325  reciprocal ranks\n',
    )
  })

  it('prints nothing from a repository that a terminal would obey', () => {
    const evil = '\x1b]52;c;AAAA\x07\u202e\u{e0041}'
    const hit = hitOf({
      path: `a\n${evil}.ts`,
      symbol: evil,
      text: `${evil} retry ${evil}`,
      explain: [{ stage: 'text', score: 1, why: evil }],
    })
    for (const detail of ['compact', 'normal', 'full'] as const) {
      const shown = answerText(answerOf([hit]), { detail })
      expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u{e0041}]/u)
      expect(shown.startsWith('a␊␛]52')).toBe(true)
    }
  })

  it('cuts long lines around the first match, and no character in half', () => {
    const text = `${'😀'.repeat(500)} retry ${'😀'.repeat(500)}`
    const line = answerText(answerOf([hitOf({ text })])).split('\n')[1]!
    expect(line).toContain('retry')
    expect(line.length).toBeLessThan(230)
    expect(line).not.toContain('\ufffd')
    expect(line.isWellFormed()).toBe(true)
  })

  it('keeps the numbers right in files with CRLF', () => {
    const shown = answerText(answerOf([hitOf({ text: 'a\r\nb\r\n' })]))
    expect(shown).toContain('    10  a\n    11  b\n')
  })

  it('is empty for an empty answer', () => {
    expect(answerText(answerOf([]))).toBe('')
  })
})

describe('talk', () => {
  it('closes with what the answer was made from', () => {
    const warnings = [{ code: 'VECTORS_PARTIAL', message: 'vectors: 62 % embedded' }]
    expect(closingLine(answerOf([hitOf()], { warnings }))).toBe(
      '1 hit · 5,213 chunks · vectors 62 % embedded',
    )
    const index = { documents: 0, chunks: 12, vectors: {}, indexedAt: null }
    expect(closingLine(answerOf([], { index }))).toBe('0 hits · 12 chunks · no vectors')
    // Of a model that is no longer used the index may still hold a part; the engine would say if it mattered.
    expect(closingLine(answerOf([], { index: { ...index, vectors: { a: 1, b: 0.4 } } }))).toContain(
      'vectors complete',
    )
  })

  it('prints warnings with their hints, made safe', () => {
    const warnings = [{ code: 'X', message: 'bad \x1b[2J file', hint: 'quarry doctor' }]
    expect(warningText(warnings, paintWith(false))).toBe('warning: bad ␛[2J file\n   hint: quarry doctor\n')
  })
})
