/** Turns text into the numbers a model reads, as its `tokenizer.json` says. WordPiece models take the quick way; all others
 * go through the general library, which is loaded only then. */

import { readFile } from 'node:fs/promises'
import { QuarryError } from '../../core/errors.js'
import { readTemplates } from './template.js'
import { vocabularyOf, wordPieces } from './wordpiece.js'

export interface Encoding {
  readonly ids: Int32Array
  /** 0 for the first text and 1 for the second. */
  readonly types: Int32Array
}

export interface Tokenizer {
  /** With the special tokens of the model; never longer than `maxTokens`. */
  encode(text: string, maxTokens: number): Encoding
  /** The longer of the two texts is cut first, which is the passage in all but odd cases. */
  encodePair(first: string, second: string, maxTokens: number): Encoding
  /** How many special tokens `encode` adds: a text with no more than these says nothing. */
  readonly extra: number
  /** Ids that carry no meaning of their own: special tokens and punctuation marks. */
  silent(): ReadonlySet<number>
}

/** `MODEL_DAMAGED` when the file is not a tokenizer. */
export async function loadTokenizer(path: string): Promise<Tokenizer> {
  try {
    const definition = JSON.parse(await readFile(path, 'utf8')) as TokenizerDefinition
    const pieces = isPlainWordPiece(definition)
      ? wordPieces(vocabularyOf(vocabularyEntries(definition))).encode
      : await generalPieces(definition)
    let silent: ReadonlySet<number> | undefined
    const { single, pair } = readTemplates(definition.post_processor)
    return {
      encode: (text, maxTokens) => single.fill(pieces(text, Math.max(0, maxTokens - single.extra))),
      encodePair: (first, second, maxTokens) => {
        const room = Math.max(0, maxTokens - pair.extra)
        const a = pieces(first, room)
        const b = pieces(second, room)
        const [lengthA, lengthB] = longestFirst(a.length, b.length, room)
        return pair.fill(a.slice(0, lengthA), b.slice(0, lengthB))
      },
      extra: single.extra,
      silent: () => {
        silent ??= silentIds(definition)
        return silent
      },
    }
  } catch (error) {
    throw new QuarryError('MODEL_DAMAGED', `${path} is not a tokenizer`, {
      hint: 'quarry models verify',
      cause: error,
    })
  }
}

/** The parts of `tokenizer.json` that are read here. */
interface TokenizerDefinition {
  readonly normalizer?: {
    readonly type?: string
    readonly lowercase?: boolean
    readonly strip_accents?: boolean | null
  }
  readonly pre_tokenizer?: { readonly type?: string }
  readonly post_processor?: unknown
  readonly added_tokens?: readonly { readonly id: number; readonly special?: boolean }[]
  readonly model: {
    readonly type?: string
    /** By token, or as a list in the order of ids. */
    readonly vocab: Readonly<Record<string, number>> | readonly (readonly [string, number])[]
  }
}

type Pieces = (text: string, limit: number) => number[]

function isPlainWordPiece({ model, normalizer, pre_tokenizer }: TokenizerDefinition): boolean {
  return (
    model.type === 'WordPiece' &&
    normalizer?.type === 'BertNormalizer' &&
    normalizer.lowercase === true &&
    normalizer.strip_accents !== false &&
    pre_tokenizer?.type === 'BertPreTokenizer'
  )
}

async function generalPieces(definition: TokenizerDefinition): Promise<Pieces> {
  const { Tokenizer } = await import('@huggingface/tokenizers')
  const general = new Tokenizer(definition, {})
  return (text, limit) => general.encode(text, { add_special_tokens: false }).ids.slice(0, limit)
}

/** Walked in place: a list of 30,000 pairs would take longer to make than the whole rest of the loading. */
function* vocabularyEntries({ model }: TokenizerDefinition): Generator<readonly [string, number]> {
  const vocabulary = model.vocab
  if (isList(vocabulary)) for (const [id, [token]] of vocabulary.entries()) yield [token, id]
  else for (const token in vocabulary) yield [token, vocabulary[token] as number]
}

const isList = (vocabulary: object): vocabulary is readonly (readonly [string, number])[] =>
  Array.isArray(vocabulary)

function silentIds(definition: TokenizerDefinition): ReadonlySet<number> {
  const silent = new Set<number>()
  for (const [token, id] of vocabularyEntries(definition))
    if (/^(?:##|\u2581)?[\p{P}\p{S}]+$/u.test(token)) silent.add(id)
  for (const token of definition.added_tokens ?? []) if (token.special) silent.add(token.id)
  return silent
}

/** How much of two texts is kept: the longer one gives way until both are equally long. */
function longestFirst(a: number, b: number, room: number): readonly [number, number] {
  const half = Math.floor(room / 2)
  if (a + b <= room) return [a, b]
  if (a <= half) return [a, room - a]
  if (b <= half) return [room - b, b]
  return [room - half, half]
}
