/** Finds the npm registry that the user has set up, and the token that belongs to it. Reads two keys and nothing else. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Registry {
  /** Ends with a slash. */
  readonly url: string
  readonly token?: string
}

const PUBLIC_REGISTRY = 'https://registry.npmjs.org/'

export async function findRegistry(environment: NodeJS.ProcessEnv, home: string): Promise<Registry> {
  const settings = parseNpmrc(await readFile(join(home, '.npmrc'), 'utf8').catch(() => ''), environment)
  const url =
    environment.npm_config_registry ||
    environment.NPM_CONFIG_REGISTRY ||
    settings.get('registry') ||
    PUBLIC_REGISTRY
  return registryAt(url, settings)
}

function registryAt(url: string, settings: ReadonlyMap<string, string>): Registry {
  const whole = url.endsWith('/') ? url : `${url}/`
  const token = tokenFor(whole, settings)
  return token ? { url: whole, token } : { url: whole }
}

/** npm keys tokens by address without scheme; the longest address that the registry lies below wins. */
function tokenFor(url: string, settings: ReadonlyMap<string, string>): string | undefined {
  const address = url.replace(/^[a-z]+:/i, '')
  const owners = [...settings.keys()]
    .filter(key => key.startsWith('//') && key.endsWith(':_authToken'))
    .map(key => key.slice(0, -':_authToken'.length))
    .filter(owner => address.startsWith(owner.endsWith('/') ? owner : `${owner}/`))
    .sort((a, b) => b.length - a.length)
  return owners[0] === undefined ? undefined : settings.get(`${owners[0]}:_authToken`)
}

function parseNpmrc(text: string, environment: NodeJS.ProcessEnv): Map<string, string> {
  const settings = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*(registry|\/\/\S+:_authToken)\s*=\s*(.*?)\s*$/.exec(line)
    if (!match?.[1] || !match[2]) continue
    const bare = match[2].replace(/^(["'])(.*)\1$/, '$2')
    settings.set(
      match[1],
      bare.replace(/\$\{([^}]+)\}/g, (whole, name: string) => environment[name] ?? whole),
    )
  }
  return settings
}
