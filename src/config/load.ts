/**
 * All settings, merged once: flags before environment before project file before user file before defaults. The result is
 * frozen and remembers where each value came from. A mistake stops here, with the place it was made at.
 */

import { join } from 'node:path'
import type { Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { Profile, Settings } from '../core/settings.js'
import type { Directories, Environment } from './directories.js'
import { readVariables, strayVariables } from './environment.js'
import { KEY_FILE } from './expander-key.js'
import { nearest } from './nearest.js'
import { profiles } from './profiles.js'
import { doors, type SettingKey, settingKeys, valueAt } from './settings.js'
import { readSettingsFile } from './settings-file.js'

export interface LoadOptions {
  readonly root: string
  readonly directories: Directories
  readonly environment: Environment
  /** What flags or the calling program set, under dotted keys. */
  readonly overrides: Readonly<Record<string, unknown>>
}

export interface LoadedSettings {
  readonly settings: Settings
  /** `default`, `profile`, `user file …`, `project file …`, `environment NAME` or `flag --name`, by dotted key. */
  readonly origins: Readonly<Record<SettingKey, string>>
  readonly warnings: readonly Warning[]
}

interface Choice {
  readonly key: SettingKey
  readonly value: unknown
  readonly origin: string
  /** Where to look when the value is wrong. */
  readonly place: string
}

export const PROJECT_FILE = '.quarry.toml'
export const USER_FILE = 'config.toml'

export const loadSettings = async (options: LoadOptions): Promise<LoadedSettings> => {
  const { root, directories, environment, overrides } = options
  const warnings: Warning[] = [...strayVariables(environment)]
  // Weakest first: a later choice replaces an earlier one.
  const choices: Choice[] = [
    ...(await choicesOfFile('user', join(directories.config, USER_FILE), warnings)),
    ...(await choicesOfFile('project', join(root, PROJECT_FILE), warnings)),
    ...readVariables(environment, key => valueAt(profiles.best, key)).map(({ key, name, value }) => ({
      key,
      value,
      origin: `environment ${name}`,
      place: `${name}:`,
    })),
    ...choicesOfFlags(overrides),
  ]
  const checked = await check(choices)
  const profile = (checked.findLast(({ key }) => key === 'profile')?.value as Profile | undefined) ?? 'best'
  const values = new Map<SettingKey, Pick<Choice, 'value' | 'origin'>>(
    settingKeys.map(key => [key, { value: valueAt(profiles[profile], key), origin: originOfDefault(key) }]),
  )
  for (const { key, value, origin } of checked) values.set(key, { value, origin })
  return {
    settings: deepFreeze(nest(values)),
    origins: Object.freeze(
      Object.fromEntries([...values].map(([key, { origin }]) => [key, origin])),
    ) as Record<SettingKey, string>,
    warnings,
  }
}

const choicesOfFile = async (
  owner: 'user' | 'project',
  path: string,
  warnings: Warning[],
): Promise<readonly Choice[]> => {
  const isStrangers = owner === 'project'
  const choices: Choice[] = []
  for (const { key, value, line } of await readSettingsFile(path, isStrangers)) {
    const place = `${path}:${line}:`
    if (isExpanderKey(key))
      warnings.push({
        code: 'UNKNOWN_SETTING',
        message: `${place} a key does not belong into a settings file: ${shown(key)} was ignored`,
        hint: `set QUARRY_EXPANDER_KEY, or write it into ${KEY_FILE} beside your own settings file (chmod 600)`,
      })
    else if (!isSetting(key)) {
      const meant = nearest(key, settingKeys)
      const suggestion = meant === undefined ? '' : `; did you mean ${meant}?`
      warnings.push({
        code: 'UNKNOWN_SETTING',
        message: `${place} there is no setting ${shown(key)}${suggestion}`,
        hint: 'quarry config',
      })
    } else if (isStrangers && !doors[key].forStrangers)
      warnings.push({
        code: 'SETTING_REFUSED',
        message: `${place} a project may not set ${key}; it was ignored`,
        hint: `set ${key} in your own settings file`,
      })
    else choices.push({ key, value, origin: `${owner} file ${path}`, place })
  }
  return choices
}

const choicesOfFlags = (overrides: Readonly<Record<string, unknown>>): readonly Choice[] =>
  Object.entries(overrides).flatMap(([key, value]) => {
    if (value === undefined) return []
    if (!isSetting(key))
      throw new QuarryError('BAD_INPUT', `There is no setting ${shown(key)}`, { hint: 'quarry config' })
    const { flag } = doors[key]
    return [
      { key, value, origin: flag ? `flag ${flag}` : 'override', place: flag ? `${flag}:` : 'override:' },
    ]
  })

/** Every value is checked, also one that a stronger choice replaces: a mistake in a file is better found early. */
const check = async (choices: readonly Choice[]): Promise<readonly Choice[]> => {
  // Yes or no is right as it is: the schema takes longer to load than everything else here.
  if (choices.every(isPlainSwitch)) return choices
  const { checkValue } = await import('./schema.js')
  return choices.map(choice => {
    const { key, value, origin, place } = choice
    const result = checkValue(key, value)
    if ('value' in result) return { ...choice, value: result.value }
    const isFlag = origin.startsWith('flag') || origin === 'override'
    throw new QuarryError(
      isFlag ? 'BAD_INPUT' : 'BAD_CONFIG',
      `${place} ${key} must be ${result.mustBe}, not ${shown(value)}`,
      {
        hint: 'quarry config --show-origin',
      },
    )
  })
}

const isPlainSwitch = ({ key, value }: Choice): boolean =>
  typeof value === 'boolean' && typeof valueAt(profiles.best, key) === 'boolean'

const isSetting = (key: string): key is SettingKey => Object.hasOwn(doors, key)

const originOfDefault = (key: SettingKey): string => {
  const [best, classic] = [profiles.best, profiles.classic].map(profile =>
    JSON.stringify(valueAt(profile, key)),
  )
  return best === classic || key === 'profile' ? 'default' : 'profile'
}

/** Only known keys get here, so no key of a file can reach a prototype. */
const nest = (values: ReadonlyMap<SettingKey, { readonly value: unknown }>): Settings => {
  const settings: Record<string, unknown> = {}
  for (const [key, { value }] of values) {
    const [group, name] = key.split('.') as [string, string?]
    if (name === undefined) settings[group] = value
    else settings[group] = { ...(settings[group] as object | undefined), [name]: value }
  }
  return settings as unknown as Settings
}

const deepFreeze = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}

const shown = (value: unknown): string => {
  const json =
    JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? String(value)
  // An address may hold a password: what stands before the host is nobody's to read.
  const text = json.replace(/\/\/[^/\s"]*@/g, '//…@')
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

const isExpanderKey = (key: string): boolean => /^expander\.(?:(?:api|secret)[_-]?)?(?:key|token)$/i.test(key)
