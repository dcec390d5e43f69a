/** Which file systems lie on another machine: shared memory, which SQLite's log needs, does not work there. */

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

/** Some platforms report the number as a signed one. */
export const networkFileSystem = (type: number): string | undefined => NETWORK_FILE_SYSTEMS.get(type >>> 0)
