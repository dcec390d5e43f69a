/** The settings as one request wants them: what it says itself goes before what the files say. */

import type { Settings } from '../core/settings.js'
import type { SearchRequest } from './api.js'

export const settingsFor = (settings: Settings, { maxPerFile }: SearchRequest): Settings =>
  maxPerFile === undefined ? settings : { ...settings, diversity: { maxPerFile } }
