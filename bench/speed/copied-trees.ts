/** Trees of a size: files of real projects, repeated under other directory names until there are enough. */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export const copyTrees = (trees: readonly string[], target: string, most: number): string => {
  if (existsSync(target)) return target
  mkdirSync(target, { recursive: true })
  for (let copied = 0, round = 0; copied < most; round++) {
    for (const [number, tree] of trees.entries()) {
      if (copied >= most) break
      cpSync(tree, join(target, `copy${round}`, `project${number}`), { recursive: true })
      copied += readdirSync(tree, { recursive: true, withFileTypes: true }).filter(entry =>
        entry.isFile(),
      ).length
    }
  }
  spawnSync('git', ['init', '-q', target])
  spawnSync('git', ['-C', target, 'add', '-A'])
  return target
}
