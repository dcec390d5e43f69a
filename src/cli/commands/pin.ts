/** `quarry models pin`: the lines that let the settings trust the files of a model, for those that Quarry has no hash of. */

import { join } from 'node:path'
import { quarryDirectories } from '../../config/directories.js'
import { USER_FILE } from '../../config/load.js'
import { encode } from '../../present/json.js'
import { sanitiseLine } from '../../present/sanitise.js'
import type { CommonFlags } from '../flags.js'
import { withQuarry } from '../open.js'
import type { Surroundings } from '../program.js'

const settingsFile = (): string => join(quarryDirectories(process.env).config, USER_FILE)

export const runPin = async (
  name: string,
  directory: string,
  flags: CommonFlags,
  { terminal }: Surroundings,
): Promise<number> =>
  withQuarry(flags, async quarry => {
    const pinned = await quarry.models.pin(name, directory)
    const { path, sha256 } = pinned
    if (flags.json) {
      await terminal.print(`${encode(pinned, 2)}\n`)
      return 0
    }
    await terminal.print(
      `[models.paths.${pinned.name}]\npath = ${JSON.stringify(path)}\nsha256 = { model = "${sha256.model}", tokenizer = "${sha256.tokenizer}" }\n`,
    )
    terminal.talk(`if you trust these files, add these lines to ${sanitiseLine(settingsFile())}\n`)
    return 0
  })
