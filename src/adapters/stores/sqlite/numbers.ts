/**
 * Many numbers out of SQLite at once. A row costs a microsecond on its way into JavaScript, whatever it holds; a hundred
 * thousand numbers in one text made by group_concat cost a tenth of that.
 */

/** `"12 7 40"` → 12, 7, 40, each below 2³²; null, which stands for no rows, gives none. */
export const parseNumbers = (text: string | null): Uint32Array => {
  if (text === null || text === '') return new Uint32Array(0)
  const numbers = new Uint32Array((text.length >> 1) + 1)
  let count = 0
  let number = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 32) {
      numbers[count++] = number
      number = 0
    } else number = number * 10 + code - 48
  }
  numbers[count++] = number
  return numbers.subarray(0, count)
}
