/** A new, empty index. */

import { createFile } from '../../sqlite/create-file.js'
import { connect, indexFile } from './connect.js'
import { translate } from './failures.js'
import { applicationId, formatVersion, schema } from './schema.js'

export const createDatabase = async (directory: string, firstRows: string): Promise<void> => {
  const path = indexFile(directory)
  try {
    await createFile({
      ...{ path, applicationId, version: formatVersion },
      connect: draft => connect(draft, 'mode=rw'),
      statements: `${schema}; ${firstRows}`,
    })
  } catch (error) {
    throw translate(error, path)
  }
}
