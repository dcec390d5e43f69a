/** The binary form of WebAssembly, as far as one small module needs it. */

/** LEB128: seven bits in a byte, the lowest first. */
export const unsigned = (number: number): number[] =>
  number < 128 ? [number] : [(number & 127) | 128, ...unsigned(number >>> 7)]
export const list = (...items: number[][]): number[] => [...unsigned(items.length), ...items.flat()]
export const name = (text: string): number[] => [...unsigned(text.length), ...Buffer.from(text)]
export const section = (id: number, content: number[]): number[] => [
  id,
  ...unsigned(content.length),
  ...content,
]
