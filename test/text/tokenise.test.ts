import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stem } from '../../dist/text/stem.js'
import { isStopWord } from '../../dist/text/stop-words.js'
import { tokenise } from '../../dist/text/tokenise.js'

describe('tokenise', () => {
  it('keeps identifiers whole and splits them', () => {
    expect(tokenise('getUserName')).toEqual(['getusername', 'get', 'user', 'name'])
    expect(tokenise('HTTP_RETRY_count')).toEqual(['httpretrycount', 'http', 'retry', 'count'])
    expect(tokenise('parseHTTPResponse')).toEqual([
      'parsehttpresponse',
      stem('parse'),
      'http',
      stem('response'),
    ])
  })

  it('keeps names with odd characters and versions whole', () => {
    expect(tokenise('C++ and c# 1.0.21')).toEqual(['c++', 'and', 'c#', '1.0.21'])
  })

  it('takes dotted, hyphenated and shortened words apart', () => {
    expect(tokenise('a.b.c')).toEqual(['a', 'b', 'c'])
    expect(tokenise('foo-bar')).toEqual(['foo', 'bar'])
    expect(tokenise("don't")).toEqual(['dont'])
  })

  it('reads plain text by walking over it as the pattern reads any other', () => {
    const signs = [..."Cc+#fF12._$'aBz \n"]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs), { maxLength: 20 }), characters => {
        const text = characters.join('')
        // A letter that is not plain brings the pattern in for the whole text.
        expect([...tokenise(text), 'é']).toEqual(tokenise(`${text} é`))
      }),
    )
  })

  it('knows a word again, however many others it has seen', () => {
    const words = Array.from({ length: 120_000 }, (_, number) =>
      `${number}`.replace(/./g, digit => 'bcdfghjklm'[+digit]!),
    )
    expect(tokenise(words.join(' ')).join(' ')).toBe(words.map(stem).join(' '))
  })

  it('pairs characters of scripts without blanks', () => {
    expect(tokenise('検索する')).toEqual(['検索', '索す', 'する'])
  })

  it('finds nothing in what holds no words', () => {
    expect(tokenise('🦊🦊 … --- "" *')).toEqual([])
  })

  it('yields single, lower-case tokens without blanks or broken characters from any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        for (const token of tokenise(text)) {
          expect(token).not.toMatch(/[\s"*\0]/)
          expect(token).toBe(token.toLowerCase())
          expect(token.isWellFormed()).toBe(true)
          expect(token.length).toBeGreaterThan(0)
          expect(token.length).toBeLessThanOrEqual(64)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('stem', () => {
  it.each([
    ['parse', 'parsed', 'parsing', 'parser', 'parsers'],
    ['route', 'routes', 'router', 'routing'],
    ['validate', 'validates', 'validation', 'validator'],
    ['query', 'queries'],
    ['class', 'classes'],
    ['handle', 'handler', 'handling', 'handled'],
  ])('brings %s together with its forms', (...forms) => {
    expect(new Set(forms.map(stem)).size).toBe(1)
  })

  it('leaves short words and other alphabets alone', () => {
    expect(['use', 'bus', 'api', 'straße', 'x2']).toEqual(['use', 'bus', 'api', 'straße', 'x2'].map(stem))
  })
})

describe('stop words', () => {
  it('know the grammar of a question and not its subject', () => {
    expect(['how', 'does', 'the', 'which'].every(isStopWord)).toBe(true)
    expect(['parser', 'retry', 'session'].some(isStopWord)).toBe(false)
  })
})
