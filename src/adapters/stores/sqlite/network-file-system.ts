/** Shared memory, which WAL needs, does not work across machines: an index on a network drive would be damaged sooner or later. */

import { QuarryError } from '../../../core/errors.js'

/** By the magic number that statfs(2) reports; other systems report small numbers, which match nothing here. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x564c, 'NCP'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
])

export const refuseNetworkFileSystem = (directory: string, type: number): void => {
  // Some platforms report the number as a signed one.
  const name = NETWORK_FILE_SYSTEMS.get(type >>> 0)
  if (name === undefined) return
  throw new QuarryError(
    'BAD_PATH',
    `${directory} is on a network file system (${name}), where an index is not safe`,
    {
      hint: 'QUARRY_HOME=<a directory on a local disk> quarry index',
    },
  )
}
