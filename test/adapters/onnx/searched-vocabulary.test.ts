import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { decodeTable } from '../../../dist/adapters/embedders/static-table.js'
import { searchedVocabulary } from '../../../dist/adapters/onnx/searched-vocabulary.js'
import { vocabularyOf, wordPieces } from '../../../dist/adapters/onnx/wordpiece.js'
import { realTexts } from './real-texts.js'

const shipped = decodeTable(
  await readFile(new URL('../../../assets/static-table.bin', import.meta.url)),
).vocabulary
const tokens = Buffer.from(shipped).toString().trimEnd().split('\n')
const laidOut = vocabularyOf(tokens.map((token, id) => [token, id] as const))

describe('a vocabulary that is searched', () => {
  it('knows each piece by the id of its line, from the first to the last', () => {
    for (let from = 0; from < tokens.length; from += 5_000) {
      const searched = searchedVocabulary(shipped)
      const some = tokens.slice(from, from + 100).concat(tokens.at(-1)!)
      for (const token of some) {
        const piece = token.startsWith('##') && token.length > 2 ? token.slice(2) : token
        expect(searched.start(token)).toBe(laidOut.start(token))
        expect(searched.continuation(piece)).toBe(laidOut.continuation(piece))
      }
    }
  })

  it('does not know parts of pieces, nor what is in no line', () => {
    const searched = searchedVocabulary(Buffer.from('[UNK]\nring\n##ish\nü\n\n\ufffd\n'))
    // Halves of a character, which bytes can only stand for by the sign for what is broken.
    for (const half of ['\ud83d', '\ude00', 'ring\ud83d', '\ud83dring'])
      expect([searched.start(half), searched.continuation(half)]).toEqual([undefined, undefined])
    expect(['rin', 'ing', '##ish', 'ish', 'red', '['].map(searched.start)).toEqual(Array(6).fill(undefined))
    expect(['ish', 'is', 'ring', '#ish'].map(searched.continuation)).toEqual([
      2,
      undefined,
      undefined,
      undefined,
    ])
    expect([searched.start('[UNK]'), searched.start('ü'), searched.unknown]).toEqual([0, 3, 0])
  })

  it('cuts real texts as one that is laid out, for a few words and for very many', async () => {
    const [one, other] = [wordPieces(laidOut), wordPieces(searchedVocabulary(shipped))]
    for (const text of await realTexts(200)) expect(other.encode(text, 512)).toEqual(one.encode(text, 512))
  })

  it('must have a token for unknown words', () => {
    expect(() => searchedVocabulary(Buffer.from('ring\n'))).toThrow('unknown words')
  })
})
