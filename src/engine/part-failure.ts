/** When one part fails, an answer stands on the others: its error becomes a warning that says what is missing, with the next command. */

import type { Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'

export const asWarning = ({ code, message, hint }: QuarryError): Warning => ({
  ...{ code, message },
  ...(hint !== undefined && { hint }),
})

export const orFailure = async <Result>(run: () => Promise<Result>): Promise<Result | QuarryError> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof QuarryError) return error
    throw error
  }
}
