import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type LanguageModel, rewrites, startLanguageModel, status } from '../fixtures/language-model.js'
import { smallRepository } from './repository.js'
import { type Scene, story } from './story.js'

const KEY = 'sk-planted-77c1d09e5b2f4a6688ee'

const withModel = (tell: (scene: Scene, model: LanguageModel) => Promise<void>) => async (scene: Scene) => {
  const model = await startLanguageModel(
    rewrites({ paraphrase: ['try again after a 429'], entity: ['retryWithBackoff'] }),
  )
  try {
    smallRepository(scene)
    await tell(scene, model)
  } finally {
    await model.close()
  }
}

const environmentOf = (model: LanguageModel) => ({
  QUARRY_EXPANDER_BASE_URL: `${model.origin}/v1`,
  QUARRY_EXPANDER_MODEL: 'small',
  QUARRY_EXPANDER_KEY: KEY,
  QUARRY_EMBEDDING_MODELS: '',
})

describe('multi-query', () => {
  story('leaves notes alone without a service, unless it is told otherwise', async scene => {
    await scene.run('remember', 'The staging database listens on port 5433')
    const recall = async (...flags: string[]) =>
      JSON.parse((await scene.run('recall', 'which port', '--json', '--multi-query', ...flags)).stdout)
    const { hits, warnings, expansion } = await recall()
    expect(hits).toHaveLength(1)
    expect(expansion).toBeUndefined()
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'EXPANSION_LEFT_OUT' }))
    expect((await recall('--expander', 'local')).expansion).toMatchObject({ expander: 'local' })
    expect((await recall('--query', 'database')).expansion).toMatchObject({ expander: 'caller' })
  })

  story(
    'says what was asked, keeps it, and forgets it on request',
    withModel(async (scene, model) => {
      const environment = environmentOf(model)
      const ask = (...flags: string[]) =>
        scene.runWith({ environment }, 'search', 'a call that failed is repeated', '--no-refresh', ...flags)
      await scene.run('index', '--fast', '--no-history')
      const first = await ask('--multi-query', '--explain')
      expect(first.code).toBe(0)
      expect(first.stderr).toContain(
        'also asked: paraphrase “try again after a 429” · entity “retryWithBackoff” (openai/small, ',
      )
      expect(first.stderr).toContain('150 tokens)')
      const again = await ask('--multi-query-variations', '3', '--json')
      expect(JSON.parse(again.stdout).expansion).toMatchObject({ expander: 'openai/small', cached: true })
      expect(Object.keys(JSON.parse(again.stdout))).toEqual([
        'query',
        'expansion',
        'hits',
        'warnings',
        'index',
      ])
      expect(model.received).toHaveLength(1)
      const purged = await scene.run('purge', '--expansions')
      expect(purged).toMatchObject({ code: 0, stderr: 'the rewrites of 1 question are deleted\n' })
      await ask('--multi-query-strategies', 'entity,decompose')
      expect(model.received[1]!.body).toContain('decompose')
      const config = await scene.runWith({ environment }, 'config', 'expander', '--show-origin')
      expect(config.stdout).toContain('environment QUARRY_EXPANDER_BASE_URL')
      for (const { stdout, stderr } of [first, again, config]) expect(stdout + stderr).not.toContain(KEY)
    }),
  )

  story(
    'answers without the service when that fails, and names no secret, even in debug',
    withModel(async (scene, model) => {
      model.reply(status(401, `{"error":{"message":"bad key ${KEY}"}}`))
      const environment = { ...environmentOf(model), QUARRY_DEBUG: '1' }
      const { code, stdout, stderr } = await scene.runWith(
        { environment },
        'search',
        'retry',
        '--multi-query',
        '--explain',
      )
      expect(code).toBe(0)
      expect(stderr).toContain('Searched with the question alone')
      expect(stderr).toContain('the key is missing or refused')
      expect(stdout + stderr).not.toContain(KEY)
    }),
  )

  story(
    'needs no service: local words, or those of the asker, and refuses what it does not know',
    withModel(async (scene, model) => {
      mkdirSync(join(scene.home, 'config'), { recursive: true })
      const local = await scene.run('search', 'retry a call', '--multi-query', '--json')
      expect(JSON.parse(local.stdout).expansion.expander).toBe('local')
      const own = await scene.runWith(
        { environment: environmentOf(model) },
        ...[
          'search',
          'that thing',
          '--query',
          'load settings',
          '--query',
          'read the config file',
          '--json',
          '--no-refresh',
        ],
      )
      const { expansion, hits } = JSON.parse(own.stdout)
      expect(expansion).toMatchObject({ expander: 'caller', variations: [{ text: 'load settings' }, {}] })
      expect(hits[0].path).toBe('src/config/load.py')
      await scene.run('remember', 'the garden gate needs oil')
      const noted = await scene.run('recall', 'what squeaks', '--query', 'garden gate', '--json')
      expect(JSON.parse(noted.stdout)).toMatchObject({
        expansion: { expander: 'caller' },
        hits: [{ text: expect.stringContaining('oil') }],
      })
      expect(model.received).toHaveLength(0)
      for (const flags of [
        ['--expander', 'oracle'],
        ['--multi-query-variations', '11'],
        ['--multi-query-strategies', 'guess'],
      ]) {
        const refused = await scene.run('search', 'x', ...flags)
        expect(refused.code).toBe(2)
        expect(refused.stderr).toContain(flags[0])
      }
    }),
  )
})
