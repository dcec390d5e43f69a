/** A pure function of one string that remembers what it said, up to so many strings: names and paths repeat. */
export const remembering = <Result>(
  most: number,
  work: (text: string) => Result,
): ((text: string) => Result) => {
  const remembered = new Map<string, Result>()
  return text => {
    const known = remembered.get(text)
    if (known !== undefined) return known
    const result = work(text)
    if (remembered.size >= most) remembered.clear()
    remembered.set(text, result)
    return result
  }
}
