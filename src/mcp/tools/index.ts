/** Every tool, in the order of the list. */

import { explainChange } from './explain-change.js'
import { findPattern } from './find-pattern.js'
import { findSimilar } from './find-similar.js'
import { indexStatus } from './index-status.js'
import { recall } from './recall.js'
import { remember } from './remember.js'
import { semanticSearch } from './semantic-search.js'
import type { Tool } from './tool.js'

export const tools: readonly Tool[] = [
  semanticSearch,
  findPattern,
  findSimilar,
  explainChange,
  recall,
  remember,
  indexStatus,
]
