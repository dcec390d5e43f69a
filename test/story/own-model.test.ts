import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { onnxBytes, tokenizerJson, tokenRows } from '../adapters/onnx/tiny-model.js'
import { type Scene, story } from './story.js'

const NAME = 'bge-reranker-base'

/** A cross-encoder that likes plums. */
const writeModel = (directory: string): string => {
  const tokens = tokenRows(1, [[0], [0], [50], [-50]])
  mkdirSync(join(directory, 'onnx'), { recursive: true })
  const model = join(directory, 'onnx/model_quantized.onnx')
  writeFileSync(model, onnxBytes({ dimensions: 1, tokens, head: Float32Array.of(1) }))
  writeFileSync(
    join(directory, 'tokenizer.json'),
    JSON.stringify(tokenizerJson(['orchard', 'apple', 'plum', 'stone'])),
  )
  return model
}

const writeOrchard = (scene: Scene): void => {
  scene.write('a.md', 'orchard orchard orchard stone stone stone\n')
  scene.write('b.md', 'orchard orchard apple apple\n')
  scene.write('c.md', 'orchard plum plum plum plum plum\n')
}

const settings = (scene: Scene, lines: string): void => {
  mkdirSync(join(scene.home, 'config'), { recursive: true })
  appendFileSync(join(scene.home, 'config/config.toml'), lines)
}

const search = async (scene: Scene) => {
  const { stdout } = await scene.run(...['search', 'orchard', '--profile', 'classic', '--json', '--explain'])
  return JSON.parse(stdout) as {
    hits: { path: string; explain: { stage: string }[] }[]
    warnings: { code: string; message: string; hint?: string }[]
  }
}

describe('a cross-encoder of which no hash is known', () => {
  story('is brought by pinning the files of a directory, and then reranks', async scene => {
    writeOrchard(scene)
    const directory = join(scene.home, '../own model')
    const model = writeModel(directory)
    const pin = `quarry models pin ${NAME} DIRECTORY`

    const pulled = await scene.run('models', 'pull', NAME)
    expect(pulled.code).toBe(2)
    expect(pulled.stderr).toContain(pin)
    const without = await search(scene)
    expect(without.warnings).toContainEqual(expect.objectContaining({ code: 'RERANKER_MISSING', hint: pin }))

    const pinned = await scene.run('models', 'pin', NAME, directory)
    expect(pinned.code).toBe(0)
    expect(pinned.stdout).toMatch(
      /^\[models\.paths\.bge-reranker-base\]\npath = ".*own model"\nsha256 = \{ model = "[0-9a-f]{64}", tokenizer = "[0-9a-f]{64}" \}\n$/,
    )
    expect(pinned.stderr).toContain(join(scene.home, 'config/config.toml'))
    settings(scene, pinned.stdout)

    const { hits, warnings } = await search(scene)
    expect(warnings.map(({ code }) => code)).not.toContain('RERANKER_MISSING')
    expect(hits.map(({ path }) => path)).toEqual(['c.md', 'b.md', 'a.md'])
    expect(hits[0]?.explain.some(({ stage }) => stage === 'rerank')).toBe(true)
    expect((await scene.run('models', 'verify', NAME)).code).toBe(0)

    appendFileSync(model, 'more')
    const damaged = await search(scene)
    expect(damaged.warnings).toContainEqual(
      expect.objectContaining({
        code: 'RERANKER_MISSING',
        message: expect.stringContaining('is not the pinned file'),
        hint: 'quarry models verify',
      }),
    )
  })

  story('says how its files can be trusted, and what is wrong with a directory or a hash', async scene => {
    writeOrchard(scene)
    const directory = join(scene.home, '../own-model')
    writeModel(directory)
    const none = await scene.run('models', 'pin', NAME, join(directory, 'none'))
    expect(none).toMatchObject({ code: 2, stdout: '' })
    expect(none.stderr).toContain('is not there or cannot be read')
    expect((await scene.run('models', 'pin', 'no-such-model', directory)).stderr).toContain(
      'There is no model',
    )
    settings(scene, `[models.paths]\n${NAME} = "${directory}"\n`)
    const { warnings } = await search(scene)
    const hint = warnings.find(({ code }) => code === 'RERANKER_MISSING')?.hint
    expect(hint).toContain(`quarry models pin ${NAME} ${directory}`)
    writeFileSync(
      join(scene.home, 'config/config.toml'),
      `[models.paths.${NAME}]\npath = "${directory}"\nsha256 = { model = "abc" }\n`,
    )
    const wrong = await scene.run('models', 'list')
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('{ path, sha256 = { model, tokenizer } }')
  })
})
