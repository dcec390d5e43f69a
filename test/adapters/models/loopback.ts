/** A hub and a registry on this machine, a model that is a few kilobytes of noise, and a tarball that carries it. */

import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import type { CatalogueEntry } from '../../../dist/adapters/models/catalogue.js'

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-models-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

export interface Loopback {
  readonly url: string
  readonly requests: { path: string; authorization: string | undefined }[]
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export async function loopback(answer: Answer): Promise<Loopback> {
  const requests: Loopback['requests'] = []
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization })
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests }
}

/** An address where nobody listens. */
export async function deadAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>(resolve => server.close(() => resolve()))
  return `http://127.0.0.1:${port}/`
}

export interface NoiseModel {
  readonly entry: CatalogueEntry
  readonly tokenizer: Buffer
  readonly model: Buffer
  readonly tarball: Buffer
}

export function noiseModel(size = 300_000): NoiseModel {
  const tokenizer = randomBytes(1_000)
  const model = randomBytes(size)
  const tarball = gzipSync(
    tar([
      { path: 'package/README.md', body: Buffer.from('other things') },
      { path: 'package/model/onnx/model_quantized.onnx', body: model },
      { path: 'package/model/tokenizer.json', body: tokenizer },
    ]),
  )
  const pin = (bytes: Buffer) => ({ bytes: bytes.length, sha256: sha256(bytes) })
  const entry: CatalogueEntry = {
    name: 'noise',
    task: 'embedding',
    revision: 'int8',
    licence: 'MIT',
    files: [
      { role: 'tokenizer', path: 'tokenizer.json', pin: pin(tokenizer) },
      { role: 'model', path: 'onnx/model_quantized.onnx', pin: pin(model) },
    ],
    hub: 'someone/noise',
    tarball: {
      package: '@scope/noise',
      version: '1.0.0',
      folder: 'package/model',
      bytes: tarball.length,
      unpackedBytes: size + 20_000,
    },
  }
  return { entry, tokenizer, model, tarball }
}

/** Serves the files of a model as the hub does. */
export const hubOf =
  ({ tokenizer, model }: NoiseModel): Answer =>
  (request, response) => {
    if (request.url === '/someone/noise/resolve/main/tokenizer.json') response.end(tokenizer)
    else if (request.url === '/someone/noise/resolve/main/onnx/model_quantized.onnx') response.end(model)
    else response.writeHead(404).end()
  }

/** Serves one tarball as a registry does. */
export const registryOf =
  (tarball: Buffer): Answer =>
  (request, response) => {
    if (request.url === '/@scope/noise/-/noise-1.0.0.tgz') response.end(tarball)
    else response.writeHead(404).end()
  }

export interface TarItem {
  readonly path: string
  readonly body: Buffer
  readonly type?: string
}

export function tar(items: readonly TarItem[]): Buffer {
  const blocks = items.flatMap(({ path, body, type = '0' }) => {
    const padding = Buffer.alloc((512 - (body.length % 512)) % 512)
    return [tarHeader(path, body.length, type), body, padding]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

function tarHeader(path: string, size: number, type: string): Buffer {
  const header = Buffer.alloc(512)
  header.write(path, 0, 100)
  header.write('0000644\0', 100)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        ', 148)
  header.write(type, 156)
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
