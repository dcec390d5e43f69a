/** A pure function of one string that remembers what it said, up to so many strings: names and paths repeat. */
export const remembering = <Result>(
  most: number,
  work: (text: string) => Result,
): ((text: string) => Result) => {
  const remembered = new Map<string, Result>()
  return text => {
    const known = remembered.get(text)
    if (known !== undefined) return known
    if (remembered.size >= most) remembered.clear()
    const own = detached(text)
    const result = work(own)
    remembered.set(own, result)
    return result
  }
}

/** From this length on V8 keeps a part of a string as a view of the whole. */
const SHORTEST_VIEW = 13

/** The same string with memory of its own: a word that is kept must not keep the whole file it was found in. */
export const detached = (text: string): string =>
  text.length < SHORTEST_VIEW || !text.isWellFormed() ? text : Buffer.from(text).toString()
