/** Shared memory, which WAL needs, does not work across machines: an index on a network drive would be damaged sooner or later. */

import { QuarryError } from '../../../core/errors.js'
import { networkFileSystem } from '../../../text/network-file-systems.js'

export const refuseNetworkFileSystem = (directory: string, type: number): void => {
  const name = networkFileSystem(type)
  if (name === undefined) return
  throw new QuarryError(
    'BAD_PATH',
    `${directory} is on a network file system (${name}), where an index is not safe`,
    {
      hint: 'QUARRY_HOME=<a directory on a local disk> quarry index',
    },
  )
}
