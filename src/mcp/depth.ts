/** How deep JSON may nest before it is parsed: a few bytes must not cost a reader its stack. */

export const DEEPEST = 64

/** Brackets inside strings do not count. Cheap enough to look at every message: most have fewer than a dozen. */
export const isTooDeep = (json: Buffer): boolean => {
  let depth = 0
  let isInString = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (isInString) {
      if (byte === 0x5c) at++
      else if (byte === 0x22) isInString = false
    } else if (byte === 0x22) isInString = true
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > DEEPEST) return true
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return false
}
