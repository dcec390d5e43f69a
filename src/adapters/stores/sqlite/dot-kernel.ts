/**
 * Dot products of one int8 vector with many, sixteen numbers at a time. V8 does not use the processor's vector units for
 * JavaScript, so this one loop is a WebAssembly module of 200 bytes, put together below instruction by instruction.
 */

import { list, name, section, unsigned } from './wasm-encoding.js'

/** The part of WebAssembly that is used here; the types of Node do not describe it. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => KernelMemory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, unknown>> }
  validate(bytes: Uint8Array): boolean
}

export interface KernelMemory {
  /** Another one after every `grow`. */
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

export const PAGE_BYTES = 65_536

/** Where things lie in the memory of a kernel: the question as 16-bit integers, the results of one call, then the rows. */
export const QUESTION_AT = 0
export const RESULTS_AT = PAGE_BYTES
export const ROWS_AT = 2 * PAGE_BYTES
export const ROWS_IN_A_CALL = (ROWS_AT - RESULTS_AT) / 4

/** Rows are `stride` bytes apart, a multiple of 16; writes one 32-bit integer for each row at `RESULTS_AT`. */
export type DotKernel = (firstRowAt: number, rows: number, stride: number) => void

export const createMemory = (): KernelMemory => new WebAssembly.Memory({ initial: ROWS_AT / PAGE_BYTES })

export const createKernel = (memory: KernelMemory): DotKernel => {
  const bytes = kernelModule()
  return WebAssembly.validate(bytes) ? simdKernel(bytes, memory) : plainKernel(memory)
}

const simdKernel = (bytes: Uint8Array, memory: KernelMemory): DotKernel => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { host: { memory } })
  const dots = exports.dots as (
    row: number,
    question: number,
    result: number,
    end: number,
    stride: number,
  ) => void
  return (firstRowAt, rows, stride) => {
    if (rows > 0) dots(firstRowAt, QUESTION_AT, RESULTS_AT, RESULTS_AT + rows * 4, stride)
  }
}

/** For processors without vector instructions, and to test the other one against. */
export const plainKernel = (memory: KernelMemory): DotKernel => {
  return (firstRowAt, rows, stride) => {
    const question = new Int16Array(memory.buffer, QUESTION_AT, stride)
    const results = new Int32Array(memory.buffer, RESULTS_AT, rows)
    const matrix = new Int8Array(memory.buffer, firstRowAt, rows * stride)
    for (let row = 0, at = 0; row < rows; row++) {
      let sum = 0
      for (let column = 0; column < stride; column++, at++)
        sum = (sum + Math.imul(matrix[at]!, question[column]!)) | 0
      results[row] = sum
    }
  }
}

const I32 = 0x7f
const V128 = 0x7b
const NOTHING = 0x40

/** Parameters and locals by number. */
const ROW = 0
const QUESTION = 1
const RESULT = 2
const RESULTS_END = 3
const STRIDE = 4
const COLUMN = 5
const ROW_END = 6
const SUMS = 7
const MORE_SUMS = 8

const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const keep = (local: number): number[] => [0x22, local]
const constant = (small: number): number[] => [0x41, small]
const add = [0x6a]
const isBelow = [0x49]
const repeatIf = [0x0d, 0]
const loop = [0x03, NOTHING]
const end = [0x0b]
const store = [0x36, 2, 0]
const simd = (instruction: number, ...immediate: number[]): number[] => [
  0xfd,
  ...unsigned(instruction),
  ...immediate,
]
const loadShorts = (offset: number): number[] => simd(0x00, 0, offset)
/** Widened on the way in: that costs less than multiplying bytes and sorting their halves. */
const loadBytesAsShorts = (offset: number): number[] => simd(0x01, 0, offset) // v128.load8x8_s
const zeroes = simd(0x0c, ...new Array<number>(16).fill(0))
const lane = (number: number): number[] => simd(0x1b, number)
const multiplyAndAddPairs = simd(0xba) // i32x4.dot_i16x8_s
const addAs32 = simd(0xae)

const advance = (local: number, step: number): number[] => [...get(local), ...constant(step), ...add]

/** Eight numbers of the row times eight of the question, onto the sums. */
const addProducts = (sums: number, rowOffset: number): number[] => [
  ...get(sums),
  ...[...get(ROW), ...loadBytesAsShorts(rowOffset)],
  ...[...get(COLUMN), ...loadShorts(2 * rowOffset)],
  ...[...multiplyAndAddPairs, ...addAs32, ...set(sums)],
]

const body = [
  ...loop,
  ...[...zeroes, ...keep(SUMS), ...set(MORE_SUMS)],
  ...[...get(QUESTION), ...set(COLUMN)],
  ...[...get(ROW), ...get(STRIDE), ...add, ...set(ROW_END)],
  ...loop,
  ...addProducts(SUMS, 0),
  ...addProducts(MORE_SUMS, 8),
  ...[...advance(COLUMN, 32), ...set(COLUMN)],
  ...[...advance(ROW, 16), ...keep(ROW), ...get(ROW_END), ...isBelow, ...repeatIf],
  ...end,
  ...[...get(SUMS), ...get(MORE_SUMS), ...addAs32, ...set(SUMS)],
  ...get(RESULT),
  ...[...get(SUMS), ...lane(0), ...get(SUMS), ...lane(1), ...add],
  ...[...get(SUMS), ...lane(2), ...add, ...get(SUMS), ...lane(3), ...add],
  ...store,
  ...[...advance(RESULT, 4), ...keep(RESULT), ...get(RESULTS_END), ...isBelow, ...repeatIf],
  ...end,
  ...end,
]

/** `(import "host" "memory" (memory 1)) (func (export "dots") (param i32 i32 i32 i32 i32) (local i32 i32 v128 v128) …)` */
const kernelModule = (): Uint8Array => {
  const code = [...list([2, I32], [2, V128]), ...body]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([0x60, ...list([I32], [I32], [I32], [I32], [I32]), ...list()])),
    ...section(2, list([...name('host'), ...name('memory'), 0x02, 0x00, 1])),
    ...section(3, list([0])),
    ...section(7, list([...name('dots'), 0x00, 0])),
    ...section(10, list([...unsigned(code.length), ...code])),
  ])
}
