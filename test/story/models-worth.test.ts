/** Which models an index is worth: the second only where files are so short that there is little else to go by. */

import { cpSync, rmSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { openQuarry } from '../../dist/index.js'
import { realModel } from '../adapters/models/real-model.js'
import { type Scene, story } from './story.js'

const OFFLINE = { environment: { QUARRY_OFFLINE: '1' } }
const MODELS = ['all-MiniLM-L6-v2', 'bge-small-en-v1.5'] as const

const bring = async ({ home }: Scene, ...names: readonly (typeof MODELS)[number][]): Promise<void> => {
  for (const name of names)
    cpSync(dirname((await realModel(name)).tokenizer), join(home, 'cache/models', name), { recursive: true })
}

/** Each function fills a chunk of its own. */
const longFile = (word: string): string =>
  Array.from({ length: 6 }, (_, part) => {
    const lines = Array.from(
      { length: 25 },
      (_, line) => `  ${word}.step${part}(${line}, 'the ${word} goes on')`,
    )
    return `export function ${word}${part}() {\n${lines.join('\n')}\n}\n`
  }).join('\n')

const modelsOf = async (scene: Scene): Promise<Record<string, { needed: boolean; vectors: number }>> => {
  const { models } = JSON.parse((await scene.run('status', '--json')).stdout)
  return Object.fromEntries(
    models.map(({ name, needed, vectors }: { name: string; needed: boolean; vectors: number }) => [
      name,
      { needed, vectors },
    ]),
  )
}

describe('models', () => {
  story('a repository makes do with the first, and asks for no other', async scene => {
    for (const word of ['harbour', 'lantern', 'meadow']) scene.write(`src/${word}.ts`, longFile(word))
    await bring(scene, 'all-MiniLM-L6-v2')
    const { code, stderr } = await scene.runWith(OFFLINE, 'index', '--wait', '--no-history')
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('bge-small')])
    expect(await modelsOf(scene)).toEqual({
      'all-MiniLM-L6-v2': { needed: true, vectors: 1 },
      'bge-small-en-v1.5': { needed: false, vectors: 0 },
    })
    expect((await scene.run('status')).stdout).not.toContain('bge-small')
    expect((await scene.run('doctor')).stdout).toMatch(
      /bge-small-en-v1\.5 is not here: only notes and many short files need it/,
    )
    const answer = await scene.runWith(OFFLINE, 'search', 'where does the lantern go on')
    expect(answer.stderr).toContain('vectors complete')
  })

  story('single functions get both, and so does a repository whose settings say so', async scene => {
    for (let part = 0; part < 100; part++)
      scene.write(`f-${part}.ts`, `export const lantern${part} = () => 'the lantern goes on ${part}'\n`)
    await bring(scene, ...MODELS)
    await scene.runWith(OFFLINE, 'index', '--wait', '--no-history')
    expect(Object.values(await modelsOf(scene))).toEqual(MODELS.map(() => ({ needed: true, vectors: 1 })))

    for (let part = 0; part < 20; part++) scene.write(`src/${part}.ts`, longFile(`harbour${part}`))
    const { stderr } = await scene.runWith(OFFLINE, 'search', 'where does the lantern go on')
    expect(stderr).toMatch(/vectors \d+ % embedded/)
    await scene.runWith(OFFLINE, 'index', '--wait', '--no-history')
    expect((await modelsOf(scene))['bge-small-en-v1.5']).toMatchObject({ needed: false })
    expect((await scene.run('status')).stdout).toMatch(/bge-small-en-v1\.5\/\S+ \(not used here\)$/m)
    expect((await scene.runWith(OFFLINE, 'search', 'lantern')).stderr).toContain('vectors complete')

    const always = { environment: { ...OFFLINE.environment, QUARRY_EMBEDDING_FURTHER_MODELS_BELOW: '1000' } }
    await scene.runWith(always, 'index', '--wait', '--no-history')
    expect((await modelsOf(scene))['bge-small-en-v1.5']).toMatchObject({ vectors: 1 })
  })

  story('a model that is damaged or gone costs its vectors, with a warning, and comes back', async scene => {
    for (const word of ['harbour', 'lantern', 'meadow']) scene.write(`src/${word}.ts`, longFile(word))
    await bring(scene, 'all-MiniLM-L6-v2')
    await scene.runWith(OFFLINE, 'index', '--wait', '--no-history')
    const place = join(scene.home, 'cache/models/all-MiniLM-L6-v2')
    const search = () => scene.runWith(OFFLINE, 'search', 'where does the lantern go on')
    const whole = await search()

    truncateSync(join(place, 'onnx/model_quantized.onnx'), 1_000_000)
    const damaged = await search()
    expect([damaged.code, damaged.stdout]).toEqual([0, expect.stringMatching(/^src\/lantern\.ts:/)])
    expect(damaged.stderr).toMatch(/without the vectors of all-MiniLM-L6-v2: .* is not the pinned file/)
    expect(damaged.stderr).toContain('hint: quarry models pull all-MiniLM-L6-v2')
    expect(damaged.stderr).toContain('vectors not used')
    expect((await scene.run('models', 'list')).stdout).toMatch(/all-MiniLM-L6-v2 .* damaged/)
    expect((await scene.run('models', 'verify')).code).toBe(2)

    rmSync(place, { recursive: true })
    const gone = await search()
    expect([gone.code, gone.stderr]).toEqual([
      0,
      expect.stringContaining('without the vectors of all-MiniLM-L6-v2: its files are not here'),
    ])
    await bring(scene, 'all-MiniLM-L6-v2')
    expect((await search()).stdout).toBe(whole.stdout)
  })

  story('a process that runs on finds a model that is mended', async scene => {
    for (const word of ['harbour', 'lantern', 'meadow']) scene.write(`src/${word}.ts`, longFile(word))
    await bring(scene, 'all-MiniLM-L6-v2')
    await scene.runWith(OFFLINE, 'index', '--wait', '--no-history')
    const place = join(scene.home, 'cache/models/all-MiniLM-L6-v2')
    const environment = {
      PATH: process.env.PATH,
      HOME: scene.home,
      QUARRY_HOME: scene.home,
      QUARRY_OFFLINE: '1',
    }
    const quarry = await openQuarry({ root: scene.repo, environment })
    const codes = async () => (await quarry.search('the lantern goes on')).warnings.map(({ code }) => code)
    truncateSync(join(place, 'onnx/model_quantized.onnx'), 1_000_000)
    expect(await codes()).toEqual(['MODEL_DAMAGED'])
    rmSync(place, { recursive: true })
    expect(await codes()).toEqual(['MODEL_MISSING'])
    await bring(scene, 'all-MiniLM-L6-v2')
    expect(await codes()).toEqual([])
    await quarry.close()
  })

  story('a question that is broken off while its model loads ends in order', async scene => {
    for (const word of ['harbour', 'lantern', 'meadow']) scene.write(`src/${word}.ts`, longFile(word))
    await bring(scene, 'all-MiniLM-L6-v2')
    await scene.runWith(OFFLINE, 'index', '--wait', '--no-history')
    for (let delay = 100; delay <= 450; delay += 25) {
      const asked = scene.start(OFFLINE, 'search', 'where does the lantern go on')
      await new Promise(resume => setTimeout(resume, delay))
      asked.process.kill('SIGINT')
      const { code, stderr } = await asked.ended()
      expect([delay, stderr, asked.process.signalCode]).toEqual([
        delay,
        expect.not.stringContaining('terminate called'),
        // Before the program runs, the signal ends it as it ends any.
        code === null ? 'SIGINT' : null,
      ])
      expect([0, 130, null]).toContain(code)
    }
  })
})
