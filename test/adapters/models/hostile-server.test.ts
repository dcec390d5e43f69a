/** Servers that lie, stall, flood and redirect: nothing of it may reach the cache. */

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { modelStore } from '../../../dist/adapters/models/store.js'
import {
  type Answer,
  deadAddress,
  hubOf,
  loopback,
  type NoiseModel,
  noiseModel,
  registryOf,
  tar,
  temporaryDirectory,
} from './loopback.js'

async function pullFrom(
  noise: NoiseModel,
  servers: { hub?: Answer; registry?: Answer },
  signal?: AbortSignal,
) {
  const directory = await temporaryDirectory()
  const dead = await deadAddress()
  const hub = servers.hub && (await loopback(servers.hub))
  const registry = servers.registry && (await loopback(servers.registry))
  const store = modelStore({
    directory,
    offline: false,
    models: [noise.entry],
    hub: hub?.url ?? dead,
    registry: registry?.url ?? dead,
    connectMilliseconds: 300,
    stallMilliseconds: 300,
  })
  const outcome = await store.pull('noise', signal ? { signal } : {}).catch((error: unknown) => error)
  const left = (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(directory.length))
  return { outcome, left, hub, registry }
}

/** Answers for the model file; the tokenizer comes as it should. */
const modelAnswer =
  (noise: NoiseModel, answer: Answer): Answer =>
  (request, response) =>
    request.url?.endsWith('tokenizer.json') ? response.end(noise.tokenizer) : answer(request, response)

const TOKENIZER_ONLY = ['/noise/tokenizer.json']

describe('a hub that', () => {
  it('sends other bytes of the right size', async () => {
    const noise = noiseModel()
    const hub = modelAnswer(noise, (_, response) => response.end(Buffer.alloc(noise.model.length)))
    const { outcome, left } = await pullFrom(noise, { hub })
    expect(outcome).toMatchObject({ message: expect.stringContaining('another SHA-256') })
    expect(left).toEqual(TOKENIZER_ONLY)
  })

  it('sends too little', async () => {
    const noise = noiseModel()
    const hub = modelAnswer(noise, (_, response) => response.end(noise.model.subarray(0, 1_000)))
    const { outcome, left } = await pullFrom(noise, { hub })
    expect(outcome).toMatchObject({ message: expect.stringContaining('1000 bytes instead of 300000') })
    expect(left).toEqual(TOKENIZER_ONLY)
  })

  it('hangs up in the middle', async () => {
    const noise = noiseModel()
    const hub = modelAnswer(noise, (_, response) => {
      response.writeHead(200, { 'content-length': noise.model.length })
      response.write(noise.model.subarray(0, 50_000), () => response.destroy())
    })
    const { outcome, left } = await pullFrom(noise, { hub })
    expect(outcome).toMatchObject({ code: 'MODEL_MISSING' })
    expect(left).toEqual(TOKENIZER_ONLY)
  })

  it('never stops sending', async () => {
    const noise = noiseModel()
    let sent = 0
    const hub = modelAnswer(noise, (_, response) => {
      const flood = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
      }
      response.on('drain', flood)
      flood()
    })
    const { outcome, left } = await pullFrom(noise, { hub })
    expect(outcome).toMatchObject({ message: expect.stringContaining('more than 300000 bytes') })
    expect(left).toEqual(TOKENIZER_ONLY)
    expect(sent).toBeLessThan(20_000_000)
  })

  it('stalls', async () => {
    const noise = noiseModel()
    const hub = modelAnswer(noise, (_, response) => void response.write(noise.model.subarray(0, 50_000)))
    const { outcome, left } = await pullFrom(noise, { hub })
    expect(outcome).toMatchObject({ message: expect.stringContaining('no bytes for 0.3 s') })
    expect(left).toEqual(TOKENIZER_ONLY)
  })

  it('answers with an error page', async () => {
    const noise = noiseModel()
    const { outcome } = await pullFrom(noise, { hub: (_, response) => response.writeHead(403).end('<html>') })
    expect(outcome).toMatchObject({ message: expect.stringContaining('HTTP 403') })
  })

  const targets: [string, string][] = [
    ['plain http', 'http://example.com/model'],
    ['plain http by name on this machine', 'http://localhost:1/model'],
    ['a file', 'file:///etc/passwd'],
    ['itself, for ever', ''],
  ]
  for (const [what, location] of targets) {
    it(`redirects to ${what}`, async () => {
      const noise = noiseModel()
      const hub: Answer = (request, response) =>
        response.writeHead(302, { location: location || (request.url ?? '/') }).end()
      const result = await pullFrom(noise, { hub })
      const reason = location ? 'is not allowed' : 'too many redirects'
      expect(result.outcome).toMatchObject({ message: expect.stringContaining(reason) })
      expect(result.left).toEqual([])
    })
  }

  it('redirects to its storage is followed', async () => {
    const noise = noiseModel()
    const storage = await loopback(hubOf(noise))
    const hub: Answer = (request, response) =>
      response.writeHead(307, { location: new URL(request.url ?? '/', storage.url).href }).end()
    const { outcome } = await pullFrom(noise, { hub })
    expect(outcome).toMatchObject({ name: 'noise' })
  })
})

describe('a registry whose tarball', () => {
  const tarballCases: [string, (noise: NoiseModel) => Buffer, string][] = [
    ['is no gzip', () => Buffer.from('<html>sign in</html>'), 'not a gzip file'],
    ['is cut off', ({ tarball }) => tarball.subarray(0, 100_000), 'not a gzip file'],
    ['is no tar', () => gzipSync(Buffer.alloc(4_096, 'x')), 'header'],
    [
      'ends within a file',
      ({ model }) =>
        gzipSync(tar([{ path: 'package/model/onnx/model_quantized.onnx', body: model }]).subarray(0, 9_000)),
      'too early',
    ],
    [
      'lacks the model',
      () => gzipSync(tar([{ path: 'package/index.js', body: Buffer.from('1') }])),
      'does not hold',
    ],
    [
      'unpacks to far more than it should',
      ({ model }) =>
        gzipSync(
          tar([
            { path: 'package/zeros', body: Buffer.alloc(4_000_000) },
            { path: 'package/model/tokenizer.json', body: model },
          ]),
        ),
      'more than it should',
    ],
    [
      'has links for files',
      () =>
        gzipSync(
          tar([
            { path: 'package/model/tokenizer.json', body: Buffer.alloc(0), type: '2' },
            { path: 'package/model/onnx/model_quantized.onnx', body: Buffer.alloc(0), type: '1' },
          ]),
        ),
      'does not hold',
    ],
  ]
  for (const [what, tarball, reason] of tarballCases) {
    it(`${what} leaves nothing behind`, async () => {
      const noise = noiseModel()
      const bytes = tarball(noise)
      const entry = { ...noise.entry, tarball: { ...noise.entry.tarball!, bytes: bytes.length } }
      const { outcome, left } = await pullFrom({ ...noise, entry }, { registry: registryOf(bytes) })
      expect(outcome).toMatchObject({ message: expect.stringContaining(reason) })
      expect(left).toEqual([])
    })
  }

  it('has names outside the model folder writes none of them', async () => {
    const noise = noiseModel()
    const evil = Buffer.from('evil')
    const bytes = gzipSync(
      tar([
        { path: '../../evil', body: evil },
        { path: '/tmp/evil', body: evil },
        { path: 'package/model/../../evil', body: evil },
        { path: 'package/model/onnx/model_quantized.onnx', body: noise.model },
        { path: 'package/model/tokenizer.json', body: noise.tokenizer },
      ]),
    )
    const entry = { ...noise.entry, tarball: { ...noise.entry.tarball!, bytes: bytes.length } }
    const { left } = await pullFrom({ ...noise, entry }, { registry: registryOf(bytes) })
    expect(left.sort()).toEqual([
      '/noise.receipt.json',
      '/noise/onnx/model_quantized.onnx',
      '/noise/tokenizer.json',
    ])
  })
})

it('a cancelled download leaves nothing behind', async () => {
  const noise = noiseModel()
  const controller = new AbortController()
  const hub: Answer = (_, response) => {
    response.write(noise.tokenizer.subarray(0, 100))
    setTimeout(() => controller.abort(), 50)
  }
  const { outcome, left } = await pullFrom(noise, { hub }, controller.signal)
  expect(outcome).toMatchObject({ code: 'CANCELLED' })
  expect(left).toEqual([])
})
