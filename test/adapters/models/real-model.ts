/** The real models, pulled once through the store and kept between runs beside other temporary files. */

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelFiles } from '../../../dist/adapters/models/model-files.js'
import { modelStore } from '../../../dist/adapters/models/store.js'

export const realModel = (name: 'all-MiniLM-L6-v2' | 'bge-small-en-v1.5'): Promise<ModelFiles> =>
  modelStore({ directory: join(tmpdir(), 'quarry-test-models'), offline: false }).pull(name)
