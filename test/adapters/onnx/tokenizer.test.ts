/** Our WordPiece tokenizer must give the same tokens as the general library, on real texts and on strange ones. */

import { readFile } from 'node:fs/promises'
import { Tokenizer as GeneralTokenizer } from '@huggingface/tokenizers'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadTokenizer, type Tokenizer } from '../../../dist/adapters/onnx/tokenizer.js'
import { realModel } from '../models/real-model.js'
import { realTexts } from './real-texts.js'

let ours: Tokenizer
let general: GeneralTokenizer
const theirs = (text: string, pair?: string) =>
  general.encode(text, pair === undefined ? {} : { text_pair: pair, return_token_type_ids: true })
const NO_LIMIT = 1_000_000

beforeAll(async () => {
  const files = await realModel('all-MiniLM-L6-v2')
  ours = await loadTokenizer(files.tokenizer)
  general = new GeneralTokenizer(JSON.parse(await readFile(files.tokenizer, 'utf8')), {})
})

describe('the same tokens as the general library', () => {
  it('on thousands of real texts', async () => {
    const texts = await realTexts(3_000)
    expect(texts.length).toBeGreaterThan(2_500)
    let tokens = 0
    for (const text of texts) {
      const ids = [...ours.encode(text, NO_LIMIT).ids]
      tokens += ids.length
      expect(ids).toEqual(theirs(text).ids)
    }
    expect(tokens).toBeGreaterThan(500_000)
  })

  const strange = [
    '',
    ' \t\r\n ',
    'Café NAÏVE Ångström İstanbul ß ﬁ',
    '漢字とひらがな 한국어 ไทย हिन्दी',
    '🙂 👩‍👩‍👧 ✓ → “quoted” … — €100 ½ №5',
    'zero\u200bwidth soft\u00adhyphen bom\ufeff nul\u0000 bell\u0007 vt\u000b del\u007f c1\u0085x \ufffd',
    'non\u00a0breaking\u2003em\u3000ideographic\u2028line',
    'constructor __proto__ hasOwnProperty toString',
    '##ing ##s a##b #include <stdio.h> $x += y[i]--; // `tick` ^~|',
    'x'.repeat(100),
    'x'.repeat(101),
    'é'.repeat(100),
    'getUserName SCREAMING_SNAKE kebab-case dotted.path/file.ts:12',
    '\ud83d lone \udc00 surrogates',
  ]
  for (const text of strange) {
    it(`on ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect([...ours.encode(text, NO_LIMIT).ids]).toEqual(theirs(text).ids)
    })
  }

  it('on random strings of every script', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 })
    fc.assert(
      fc.property(text, sample => {
        expect([...ours.encode(sample, NO_LIMIT).ids]).toEqual(theirs(sample).ids)
      }),
      { numRuns: 3_000 },
    )
  })

  it('on pairs, with token types', () => {
    const { ids, types } = ours.encodePair('where is it done?', 'function here() {}', NO_LIMIT)
    const expected = theirs('where is it done?', 'function here() {}')
    expect([...ids]).toEqual(expected.ids)
    expect([...types]).toEqual(expected.token_type_ids)
  })
})

it('a text cannot smuggle in special tokens', () => {
  const [, ...rest] = ours.encode('a [SEP] b [CLS]', NO_LIMIT).ids
  expect(rest.filter(id => id === 101 || id === 102)).toEqual([102])
})

it('a long text is cut at the limit, special tokens included', () => {
  const { ids } = ours.encode('many words '.repeat(500_000), 128)
  expect(ids).toHaveLength(128)
  expect([ids[0], ids[127]]).toEqual([101, 102])
})

describe('a pair that is too long', () => {
  const words = (count: number) => 'word '.repeat(count)
  const lengths = (first: number, second: number, limit: number) => {
    const { ids, types } = ours.encodePair(words(first), words(second), limit)
    expect(ids.length).toBeLessThanOrEqual(limit)
    const ones = types.filter(type => type === 1).length
    return [ids.length - ones - 2, ones - 1]
  }
  it('loses the end of the text', () => expect(lengths(10, 100, 50)).toEqual([10, 37]))
  it('loses the end of the question when that is the longer one', () =>
    expect(lengths(100, 10, 50)).toEqual([37, 10]))
  it('loses of both when both are long', () => expect(lengths(100, 100, 50)).toEqual([24, 23]))
  it('is left whole when it fits', () => expect(lengths(20, 27, 50)).toEqual([20, 27]))
})
