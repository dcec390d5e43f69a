/** `similar` is of code as it is. Whoever gives the id of a hunk from history is told where that code is now. */

import { QuarryError } from '../core/errors.js'
import type { Quarry } from './api.js'
import type { History } from './history.js'
import { orFailure } from './part-failure.js'

export const aboutHunks =
  (similar: Quarry['similar'], { shelf }: History): Quarry['similar'] =>
  async (place, request) => {
    try {
      return await similar(place, request)
    } catch (error) {
      if (!('id' in place) || !(error instanceof QuarryError) || error.code !== 'BAD_INPUT') throw error
      const hunk = await orFailure(
        async () => (await (await shelf.openIfThere())?.chunksByDigest(place.id))?.[0],
      )
      if (hunk === undefined || hunk instanceof QuarryError) throw error
      const message = `${place.id} is a change of the past, and only code as it is now can be compared`
      const hint = hunk.file
        ? `its path and a line: quarry similar ${hunk.path}:${Math.max(1, hunk.startLine)}`
        : 'quarry similar FILE:LINE'
      throw new QuarryError('BAD_INPUT', message, { hint, cause: error })
    }
  }
