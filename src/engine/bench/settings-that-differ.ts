/** The settings that a figure depends on beside the version: whatever is not as the profile has it. */

import { profiles } from '../../config/profiles.js'
import { type SettingKey, valueAt } from '../../config/settings.js'
import type { Quarry } from '../api.js'

export const settingsThatDiffer = (
  { settings, origins }: Quarry,
  isReplayed: boolean,
): Record<string, unknown> => {
  const usual = profiles[settings.profile]
  const keys = (Object.keys(origins) as SettingKey[]).filter(key =>
    key === 'profile'
      ? settings.profile !== 'best'
      : JSON.stringify(valueAt(settings, key)) !== JSON.stringify(valueAt(usual, key)),
  )
  // Of a server that replays, the port is chance and the rest is said elsewhere; a directory is nobody else's.
  const isKept = (key: string): boolean =>
    key !== 'models.paths' && !(isReplayed && /^expander\.(?:baseUrl|model|cache)$/.test(key))
  return Object.fromEntries(
    keys.filter(isKept).map(key => {
      const value = valueAt(settings, key)
      return [key, key === 'expander.baseUrl' ? hostOf(String(value)) : value]
    }),
  )
}

/** An address may hold a password. */
const hostOf = (address: string): string => {
  try {
    return new URL(address).host
  } catch {
    return '…'
  }
}
