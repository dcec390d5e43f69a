import { expect, it } from 'vitest'
import { openAiCompatible } from '../../../dist/adapters/expanders/openai-compatible.js'
import { startReplayServer } from '../../../dist/measuring/replay/replay-server.js'

it('answers the real expander with what was recorded, by strategy, and 404 for anything else', async () => {
  const server = await startReplayServer([
    {
      ...{ set: 'cosqa', id: 'q1', question: 'sort a dict\nby value' },
      rewrites: {
        paraphrase: ['order a mapping by its values'],
        entity: ['sorted dict.items key'],
        'step-back': ['ordering collections'],
        decompose: [],
      },
    },
  ])
  try {
    const { baseUrl } = server
    const expander = openAiCompatible({
      baseUrl,
      model: 'recorded',
      key: null,
      timeoutMs: 5_000,
      privateHosts: [],
    })
    const ask = (question: string, strategies: readonly ('paraphrase' | 'entity' | 'decompose')[]) =>
      expander.expand({ question, count: 4, strategies, firstResults: async () => [] })
    expect((await ask('sort a dict\nby value', ['entity', 'paraphrase', 'decompose'])).variations).toEqual([
      { strategy: 'entity', text: 'sorted dict.items key' },
      { strategy: 'paraphrase', text: 'order a mapping by its values' },
    ])
    await expect(ask('sort a dict\nby value', ['decompose'])).rejects.toThrow('usable')
    await expect(ask('something else', ['entity'])).rejects.toThrow('404')
  } finally {
    await server.close()
  }
})
