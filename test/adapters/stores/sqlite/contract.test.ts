import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { storeContract } from '../../../../dist/testing/index.js'
import { ROOT, scratchDirectory, storeIn } from './scratch.js'

storeContract({ describe, it, expect }, 'sqlite', async () => ({
  store: storeIn(join(scratchDirectory(), 'index')),
  root: ROOT,
  dispose: async () => {},
}))
