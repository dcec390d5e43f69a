/** Processes that race, are killed, have no room and no rights: each in a real process of its own. */

import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { modelStore } from '../../../dist/adapters/models/store.js'
import { type Answer, hubOf, loopback, type NoiseModel, noiseModel, temporaryDirectory } from './loopback.js'

const STORE = new URL('../../../dist/adapters/models/store.js', import.meta.url).href
const NOBODY = 65_534

interface Child {
  readonly process: ChildProcess
  readonly output: Promise<string>
}

/** Pulls in a child process and prints `ok` or what the error says. */
function pullInChild(directory: string, noise: NoiseModel, hub: string, shell = '', uid?: number): Child {
  const options = { directory, offline: false, models: [noise.entry], hub, stallMilliseconds: 10_000 }
  const program = `
    const { modelStore } = await import(${JSON.stringify(STORE)})
    const models = ${JSON.stringify(options)}
    try { await modelStore(models).pull('noise'); console.log('ok') }
    catch (error) { console.log(error.code, error.hint, error.message) }`
  const node = [process.execPath, '--input-type=module', '-e', program]
  const child = spawn('bash', ['-c', `${shell} exec "$@"`, 'bash', ...node], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, cwd: '/' }),
  })
  const output = (async () => {
    let text = ''
    for await (const piece of child.stdout) text += piece
    return text.trim()
  })()
  return { process: child, output }
}

const withoutTarball = (noise: NoiseModel): NoiseModel => {
  const { tarball: _, ...entry } = noise.entry
  return { ...noise, entry }
}

const partials = async (directory: string) =>
  (await readdir(directory, { recursive: true })).filter(name => name.endsWith('.partial'))

/** Sends the model in small pieces, so that there is time to interfere. */
const slowHub =
  (noise: NoiseModel): Answer =>
  async (request, response) => {
    if (request.url?.endsWith('tokenizer.json')) return void response.end(noise.tokenizer)
    for (let start = 0; start < noise.model.length; start += 10_000) {
      response.write(noise.model.subarray(start, start + 10_000))
      await sleep(20)
    }
    response.end()
  }

it('two processes that pull at once both succeed', async () => {
  const noise = withoutTarball(noiseModel())
  const hub = await loopback(slowHub(noise))
  const directory = await temporaryDirectory()
  const children = [1, 2].map(() => pullInChild(directory, noise, hub.url))
  expect(await Promise.all(children.map(child => child.output))).toEqual(['ok', 'ok'])
  expect(await readFile(join(directory, 'noise/onnx/model_quantized.onnx'))).toEqual(noise.model)
  expect(await partials(directory)).toEqual([])
})

it('a killed download leaves a temporary file that the next pull sweeps', async () => {
  const noise = withoutTarball(noiseModel())
  const hub = await loopback(slowHub(noise))
  const directory = await temporaryDirectory()
  const child = pullInChild(directory, noise, hub.url)
  while ((await partials(directory)).every(name => !name.includes('model_quantized'))) await sleep(10)
  child.process.kill('SIGKILL')
  await child.output
  expect(await partials(directory)).toHaveLength(1)
  const store = modelStore({ directory, offline: false, models: [noise.entry], hub: hub.url })
  expect(await store.locate('noise')).toBeNull()
  await store.pull('noise')
  expect(await partials(directory)).toEqual([])
  expect(await store.verify('noise')).toEqual([])
})

it('a temporary file of a process that still runs is left alone', async () => {
  const noise = withoutTarball(noiseModel())
  const hub = await loopback(hubOf(noise))
  const directory = await temporaryDirectory()
  await mkdir(join(directory, 'noise'))
  const name = `tokenizer.json.${process.pid}.0123456789ab.partial`
  await writeFile(join(directory, 'noise', name), 'half')
  await modelStore({ directory, offline: false, models: [noise.entry], hub: hub.url }).pull('noise')
  expect(await partials(directory)).toEqual([join('noise', name)])
})

it('a full disk is DISK_FULL and leaves nothing behind', async () => {
  const noise = withoutTarball(noiseModel())
  const hub = await loopback(hubOf(noise))
  const directory = await temporaryDirectory()
  const child = pullInChild(directory, noise, hub.url, 'ulimit -f 64;')
  expect(await child.output).toMatch(/^DISK_FULL make room.* \d+\.\d MB needed, \d+\.\d MB free/)
  expect(await partials(directory)).toEqual([])
})

it('a cache that cannot be written to still serves, and says so when it must be written to', async () => {
  const noise = withoutTarball(noiseModel())
  const hub = await loopback(hubOf(noise))
  const directory = await temporaryDirectory()
  await modelStore({ directory, offline: false, models: [noise.entry], hub: hub.url }).pull('noise')
  const isRoot = process.getuid?.() === 0
  const uid = isRoot ? NOBODY : undefined
  const lock = async (path: string, mode: number) => {
    if (isRoot) await chown(path, NOBODY, NOBODY)
    await chmod(path, mode)
  }
  for (const name of await readdir(directory, { recursive: true })) await lock(join(directory, name), 0o555)
  await lock(directory, 0o555)
  expect(await pullInChild(directory, noise, hub.url, '', uid).output).toBe('ok')

  const empty = await temporaryDirectory()
  await lock(empty, 0o555)
  const refused = await pullInChild(empty, noise, hub.url, '', uid).output
  expect(refused).toMatch(/^BAD_PATH set QUARRY_HOME/)
  for (const name of await readdir(directory, { recursive: true })) await chmod(join(directory, name), 0o755)
  await chmod(directory, 0o755)
})
