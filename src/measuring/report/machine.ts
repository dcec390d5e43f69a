/** What a figure was measured on. No host name and no path: results are published. */

import { cpus, totalmem } from 'node:os'

export interface Machine {
  readonly cores: number
  readonly cpu: string
  readonly node: string
  readonly memoryGB: number
}

export const thisMachine = (): Machine => ({
  cores: cpus().length,
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  node: process.version,
  memoryGB: Math.round(totalmem() / 1024 ** 3),
})
