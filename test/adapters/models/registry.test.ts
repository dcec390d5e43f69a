/** The npm registry: which one is asked, and who gets to see its token. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { findRegistry } from '../../../dist/adapters/models/registry.js'
import { modelStore } from '../../../dist/adapters/models/store.js'
import { deadAddress, loopback, noiseModel, registryOf, temporaryDirectory } from './loopback.js'

async function homeWith(npmrc: string): Promise<string> {
  const home = await temporaryDirectory()
  await writeFile(join(home, '.npmrc'), npmrc)
  return home
}

it('the environment comes first, then .npmrc, then the public registry', async () => {
  const home = await homeWith('; a comment\nregistry = "https://npm.example/team"\nfund=false\n')
  const empty = await temporaryDirectory()
  const variable = { npm_config_registry: 'https://env.example/' }
  expect(await findRegistry(variable, home)).toEqual({ url: 'https://env.example/' })
  expect(await findRegistry({ NPM_CONFIG_REGISTRY: 'https://env.example' }, home)).toEqual({
    url: 'https://env.example/',
  })
  expect(await findRegistry({}, home)).toEqual({ url: 'https://npm.example/team/' })
  expect(await findRegistry({}, empty)).toEqual({ url: 'https://registry.npmjs.org/' })
})

it('a token belongs to the registry it is written for', async () => {
  const home = await homeWith(
    [
      'registry=https://npm.example/team/',
      '//npm.example/:_authToken=general',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: npm writes variables this way
      '//npm.example/team/:_authToken=${TEAM_TOKEN}',
      '//npm.example.evil/:_authToken=stolen',
      '//npm.example/team-b/:_authToken=other',
      '//npm.example/team/:_password=unread',
    ].join('\n'),
  )
  expect(await findRegistry({ TEAM_TOKEN: 'secret' }, home)).toEqual({
    url: 'https://npm.example/team/',
    token: 'secret',
  })
  const elsewhere = await findRegistry({ npm_config_registry: 'https://npm.example.org/' }, home)
  expect(elsewhere.token).toBeUndefined()
})

it('the token goes to the registry and not to the storage it redirects to', async () => {
  const noise = noiseModel()
  const storage = await loopback((_, response) => response.end(noise.tarball))
  const registry = await loopback((_, response) => response.writeHead(302, { location: storage.url }).end())
  const home = await homeWith(`//${new URL(registry.url).host}/:_authToken=secret\n`)
  vi.stubEnv('HOME', home)
  const directory = await temporaryDirectory()
  const hub = await deadAddress()
  const store = modelStore({ directory, offline: false, models: [noise.entry], hub, registry: registry.url })
  await store.pull('noise')
  vi.unstubAllEnvs()
  expect(registry.requests.map(request => request.authorization)).toEqual(['Bearer secret'])
  expect(storage.requests.map(request => request.authorization)).toEqual([undefined])
})

it('the registry of the settings is asked for the tarball of the version', async () => {
  const noise = noiseModel()
  const registry = await loopback(registryOf(noise.tarball))
  const directory = await temporaryDirectory()
  const hub = await deadAddress()
  const url = registry.url.replace(/\/$/, '')
  await modelStore({ directory, offline: false, models: [noise.entry], hub, registry: url }).pull('noise')
  expect(registry.requests.map(request => request.path)).toEqual(['/@scope/noise/-/noise-1.0.0.tgz'])
})
