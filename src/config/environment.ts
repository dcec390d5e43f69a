/** Settings from environment variables: the text becomes what the default of the setting is. */

import type { Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { Environment } from './directories.js'
import { nearest } from './nearest.js'
import { doors, type SettingKey, settingKeys } from './settings.js'

export interface Variable {
  readonly key: SettingKey
  readonly name: string
  readonly value: unknown
}

/** `sample` gives a value of the right type for a key. An empty variable counts as none. */
export const readVariables = (
  environment: Environment,
  sample: (key: SettingKey) => unknown,
): readonly Variable[] =>
  settingKeys.flatMap(key => {
    const name = doors[key].variable
    const text = name === undefined ? undefined : environment[name]?.trim()
    return name === undefined || !text ? [] : [{ key, name, value: valueFrom(text, sample(key), name) }]
  })

/** A variable that is nearly one of ours is a slip of the pen; others may be anyone's. */
export const strayVariables = (environment: Environment): readonly Warning[] => {
  const known = [...Object.values(doors).flatMap(({ variable }) => variable ?? []), ...OTHERS]
  return Object.keys(environment).flatMap(name => {
    if (!name.startsWith('QUARRY_') || known.includes(name)) return []
    const meant = nearest(name, known)
    if (meant === undefined) return []
    return [
      {
        code: 'UNKNOWN_SETTING',
        message: `The variable ${name} means nothing; ${meant} does`,
        hint: 'quarry config',
      },
    ]
  })
}

/** Read elsewhere. */
const OTHERS = ['QUARRY_HOME', 'QUARRY_BACKGROUND', 'QUARRY_DEBUG', 'QUARRY_EXPANDER_KEY']

const valueFrom = (text: string, sample: unknown, name: string): unknown => {
  if (typeof sample === 'boolean') {
    if (/^(?:1|true|yes|on)$/i.test(text)) return true
    if (/^(?:0|false|no|off)$/i.test(text)) return false
    throw new QuarryError(
      'BAD_CONFIG',
      `${name}: it must be true or false, not ${JSON.stringify(text.slice(0, 80))}`,
      {
        hint: `unset ${name}`,
      },
    )
  }
  // What is no number stays text, and the check will say what it must be.
  if (typeof sample === 'number') return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
  if (Array.isArray(sample))
    return text
      .split(',')
      .map(part => part.trim())
      .filter(part => part !== '')
  return text
}
