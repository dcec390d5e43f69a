/** The few colours of Quarry, by what they mean. Without colour every one of them leaves its text alone. */

export interface Paint {
  path(text: string): string
  line(text: string): string
  symbol(text: string): string
  word(text: string): string
  faint(text: string): string
  good(text: string): string
  warning(text: string): string
  error(text: string): string
}

const wrap = (start: number, end: number) => (text: string) => `\x1b[${start}m${text}\x1b[${end}m`
const plain = (text: string): string => text

const coloured: Paint = {
  path: wrap(35, 39),
  line: wrap(32, 39),
  symbol: wrap(1, 22),
  word: text => wrap(1, 22)(wrap(33, 39)(text)),
  faint: wrap(2, 22),
  good: wrap(32, 39),
  warning: wrap(33, 39),
  error: wrap(31, 39),
}

const uncoloured: Paint = {
  path: plain,
  line: plain,
  symbol: plain,
  word: plain,
  faint: plain,
  good: plain,
  warning: plain,
  error: plain,
}

export const paintWith = (colour: boolean): Paint => (colour ? coloured : uncoloured)
