/** Writes ONNX models of a few kilobytes, with every input a real one has, so that the real loading code runs on them. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ModelFiles } from '../../../dist/adapters/models/model-files.js'

type Bytes = Buffer

const varint = (value: number): Bytes => {
  const bytes: number[] = []
  let left = BigInt(value) & 0xffff_ffff_ffff_ffffn
  do {
    const low = Number(left & 0x7fn)
    left >>= 7n
    bytes.push(left > 0n ? low | 0x80 : low)
  } while (left > 0n)
  return Buffer.from(bytes)
}
const number = (field: number, value: number): Bytes => Buffer.concat([varint(field << 3), varint(value)])
const block = (field: number, content: Bytes | string): Bytes => {
  const bytes = Buffer.from(content)
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes])
}
const message = (...fields: readonly Bytes[]): Bytes => Buffer.concat(fields)

const FLOAT = 1
const INT64 = 7

const tensor = (name: string, dimensions: readonly number[], type: number, raw: Bytes): Bytes =>
  message(...dimensions.map(size => number(1, size)), number(2, type), block(8, name), block(9, raw))
const floats = (name: string, dimensions: readonly number[], values: Float32Array): Bytes =>
  tensor(name, dimensions, FLOAT, Buffer.from(values.buffer, values.byteOffset, values.byteLength))

/** A number is a fixed size, a text a size that varies. */
const valueInfo = (name: string, type: number, shape: readonly (number | string)[]): Bytes => {
  const dimensions = shape.map(size => block(1, typeof size === 'number' ? number(1, size) : block(2, size)))
  return message(
    block(1, name),
    block(2, block(1, message(number(1, type), block(2, message(...dimensions))))),
  )
}

const node = (
  operation: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Bytes[] = [],
): Bytes =>
  message(
    ...inputs.map(input => block(1, input)),
    block(2, output),
    block(4, operation),
    ...attributes.map(attribute => block(5, attribute)),
  )
const integer = (name: string, value: number) => message(block(1, name), number(3, value), number(20, 2))
const integers = (name: string, values: readonly number[]) =>
  message(block(1, name), ...values.map(value => number(8, value)), number(20, 7))

export interface TinyModel {
  readonly dimensions: number
  /** One row for each token, flat. */
  readonly tokens: Float32Array
  /** What the token types 0 and 1 add. */
  readonly types?: Float32Array
  /** Weights of a cross-encoder; without them the model gives out the token vectors. */
  readonly head?: Float32Array
}

export function onnxBytes({ dimensions, tokens, types, head }: TinyModel): Bytes {
  const hidden = head ? 'hidden' : 'last_hidden_state'
  const axis = Buffer.alloc(8)
  axis.writeBigInt64LE(2n)
  const nodes = [
    node('Gather', ['tokens', 'input_ids'], 'words'),
    node('Gather', ['types', 'token_type_ids'], 'sides'),
    node('Add', ['words', 'sides'], 'sum'),
    node('Cast', ['attention_mask'], 'mask', [integer('to', FLOAT)]),
    node('Unsqueeze', ['mask', 'axis'], 'column'),
    node('Mul', ['sum', 'column'], hidden),
  ]
  const weights = [
    floats('tokens', [tokens.length / dimensions, dimensions], tokens),
    floats('types', [2, dimensions], types ?? new Float32Array(2 * dimensions)),
    tensor('axis', [1], INT64, axis),
  ]
  if (head) {
    nodes.push(
      node('ReduceMean', [hidden], 'mean', [integers('axes', [1]), integer('keepdims', 0)]),
      node('MatMul', ['mean', 'head'], 'logits'),
    )
    weights.push(floats('head', [dimensions, 1], head))
  }
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids']
  const output = head
    ? valueInfo('logits', FLOAT, ['batch', 1])
    : valueInfo('last_hidden_state', FLOAT, ['batch', 'length', dimensions])
  const graph = message(
    ...nodes.map(part => block(1, part)),
    block(2, 'tiny'),
    ...weights.map(part => block(5, part)),
    ...inputs.map(name => block(11, valueInfo(name, INT64, ['batch', 'length']))),
    block(12, output),
  )
  return message(
    number(1, 8),
    block(2, 'quarry-test'),
    block(7, graph),
    block(8, message(block(1, ''), number(2, 13))),
  )
}

/** A BERT tokenizer with these words; their ids begin at 5. */
export function tokenizerJson(words: readonly string[]): object {
  const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']
  const token = (name: string, type: number) => ({ SpecialToken: { id: name, type_id: type } })
  const sequence = (name: string, type: number) => ({ Sequence: { id: name, type_id: type } })
  const single = [token('[CLS]', 0), sequence('A', 0), token('[SEP]', 0)]
  const mark = (name: string) => ({ id: name, ids: [special.indexOf(name)], tokens: [name] })
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special.map((content, id) => ({ id, content, special: true })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single,
      pair: [...single, sequence('B', 1), token('[SEP]', 1)],
      special_tokens: { '[CLS]': mark('[CLS]'), '[SEP]': mark('[SEP]') },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries([...special, ...words].map((name, id) => [name, id])),
    },
  }
}

/** Both files on disk, as the model store would hand them out. */
export async function modelOnDisk(model: Buffer | string, tokenizer: object | string): Promise<ModelFiles> {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-tiny-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const files = {
    name: 'tiny',
    revision: 'float',
    model: join(directory, 'model.onnx'),
    tokenizer: join(directory, 'tokenizer.json'),
  }
  await writeFile(files.model, model)
  await writeFile(files.tokenizer, typeof tokenizer === 'string' ? tokenizer : JSON.stringify(tokenizer))
  return files
}

/** Token rows for special tokens (zero) and for each word the row that is given. */
export function tokenRows(dimensions: number, rows: readonly (readonly number[])[]): Float32Array {
  const tokens = new Float32Array((5 + rows.length) * dimensions)
  for (const [word, row] of rows.entries()) tokens.set(row, (5 + word) * dimensions)
  return tokens
}
