/**
 * Keeps an answer within the tokens that the asker has for it. Whole items only: half a hit is worth less than none. An
 * answer has two forms, data and text, and a client hands its model one of them, so each of the two is kept within.
 */

export const USUAL_TOKENS = 8_000
export const HARD_CAP_TOKENS = 20_000
export const LEAST_TOKENS = 200

/** One item of an answer in its two forms. */
export interface Shown {
  readonly data: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Four bytes a token. Of letters that take several bytes that is more than most tokenisers make: never too few. */
export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

export interface Fitted {
  readonly shown: readonly Shown[]
  readonly leftOut: number
  /** The first one was too long and is there in short. */
  readonly isShortened: boolean
}

/** As many of the items as fit, from the first, which is shown in short rather than not at all. */
export const takeFitting = (
  items: readonly { readonly whole: Shown; readonly short: () => Shown }[],
  maxTokens: number,
  overhead: number,
): Fitted => {
  let data = overhead
  let text = overhead
  const take = (shown: Shown): boolean => {
    const more = { data: tokensOf(JSON.stringify(shown.data)) + 1, text: tokensOf(shown.text) + 1 }
    if (data + more.data > maxTokens || text + more.text > maxTokens) return false
    data += more.data
    text += more.text
    return true
  }
  const shown: Shown[] = []
  let isShortened = false
  for (const { whole, short } of items) {
    const brief = shown.length === 0 ? short() : whole
    if (take(whole)) shown.push(whole)
    else if (brief !== whole && take(brief)) {
      shown.push(brief)
      isShortened = true
    } else break
  }
  return { shown, leftOut: items.length - shown.length, isShortened }
}

/** How to get the rest; undefined where there is none. */
export const moreHint = ({ leftOut, isShortened }: Fitted, maxTokens: number): string | undefined => {
  if (leftOut === 0 && !isShortened) return undefined
  const what = isShortened ? 'the first is shown in short' : `${leftOut} more left out`
  const raise = maxTokens < HARD_CAP_TOKENS ? `raise max_tokens (at most ${HARD_CAP_TOKENS}), ` : ''
  return `${what} at ${maxTokens} tokens: ${raise}take detail "compact", or ask for less`
}
