/** Which models an index is worth: the second only where files are so short that there is little else to go by. */

import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
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
    expect((await scene.run('doctor')).stdout).toMatch(/bge-small-en-v1\.5 is not here, and not needed here/)
    const answer = await scene.runWith(OFFLINE, 'search', 'where does the lantern go on')
    expect(answer.stderr).toContain('vectors complete')
  })

  story('single functions get both, and so does a repository whose settings say so', async scene => {
    for (const word of ['harbour', 'lantern', 'meadow'])
      scene.write(`f-${word}.ts`, `export const ${word} = () => 'the ${word} goes on'\n`)
    await bring(scene, ...MODELS)
    await scene.runWith(OFFLINE, 'index', '--wait', '--no-history')
    expect(Object.values(await modelsOf(scene))).toEqual(MODELS.map(() => ({ needed: true, vectors: 1 })))

    for (const word of ['harbour', 'lantern', 'meadow']) scene.write(`src/${word}.ts`, longFile(word))
    const { stderr } = await scene.runWith(OFFLINE, 'search', 'where does the lantern go on')
    expect(stderr).toMatch(/vectors \d+ % embedded/)
    await scene.runWith(OFFLINE, 'index', '--wait', '--no-history')
    expect((await modelsOf(scene))['bge-small-en-v1.5']).toMatchObject({ needed: false })
    expect((await scene.runWith(OFFLINE, 'search', 'lantern')).stderr).toContain('vectors complete')

    const always = { environment: { ...OFFLINE.environment, QUARRY_EMBEDDING_FURTHER_MODELS_BELOW: '1000' } }
    await scene.runWith(always, 'index', '--wait', '--no-history')
    expect((await modelsOf(scene))['bge-small-en-v1.5']).toMatchObject({ vectors: 1 })
  })
})
