/** Going on where an answer was cut. */

import { describe, expect, it } from 'vitest'
import { gitRepository } from '../fixtures/git-repository.js'
import { type Agent, startAgent } from './agent.js'

interface HitData {
  readonly id: string
  readonly commit?: string
}

const manyInvoices = () => {
  const repository = gitRepository()
  for (let part = 0; part < 12; part++)
    repository.commit(
      `Invoice part ${part}: compute what is owed`,
      Object.fromEntries(
        [0, 1].map(i => [
          `src/part${part}/f${i}.ts`,
          `/** Computes the invoice ${part} of ${i}. */\nexport const invoice${part}_${i} = (total: number) => {\n${Array.from({ length: 12 }, (_, line) => `  const owed${line} = total * ${part + line} + ${i}`).join('\n')}\n  return owed0\n}\n`,
        ]),
      ),
    )
  return repository
}

/** Every page of a question, as an agent would get them. */
const pagesOf = async (call: Agent['call'], tool: string, given: Record<string, unknown>) => {
  const pages: HitData[][] = []
  let cursor: string | undefined
  do {
    const { data, text, isError } = await call(tool, { ...given, ...(cursor && { cursor }) })
    expect(isError, text).toBe(false)
    expect(data.warnings.map(({ code }: { code: string }) => code)).not.toContain('INDEX_MOVED')
    expect(text.length / 4).toBeLessThanOrEqual(given.max_tokens as number)
    expect(JSON.stringify(data).length / 4).toBeLessThanOrEqual(given.max_tokens as number)
    expect(data.truncated).toBe(data.cursor !== undefined)
    if (data.cursor) expect(text).toContain(`cursor "${data.cursor}"`)
    pages.push(data.hits)
    cursor = data.cursor
  } while (cursor !== undefined)
  return pages
}

describe('a cursor', () => {
  it('gets every hit once, in the order of an answer that is not cut', async () => {
    const { call } = await startAgent(manyInvoices().work)
    for (const [tool, given] of [
      ['semantic_search', { query: 'compute the invoice', limit: 20 }],
      ['find_pattern', { query: 'compute what is owed', k: 10 }],
    ] as const) {
      const name = ({ id, commit }: HitData) => commit ?? id
      const whole = await call(tool, { ...given, max_tokens: 20_000 })
      expect(whole.data.truncated).toBe(false)
      const pages = await pagesOf(call, tool, { ...given, max_tokens: 900 })
      expect(pages.length).toBeGreaterThan(2)
      expect(pages.flat().map(name)).toEqual(whole.data.hits.map(name))
      // Where there is room for one hit only, it comes with the way to the next.
      const least = { ...given, max_tokens: tool === 'find_pattern' ? 260 : 200 }
      const { data: first, text } = await call(tool, least)
      expect(text).toContain(`cursor "${first.cursor}"`)
      const { data: second } = await call(tool, { ...least, cursor: first.cursor })
      expect([...first.hits, ...second.hits].map(name)).toEqual(whole.data.hits.slice(0, 2).map(name))
      for (const form of [text, JSON.stringify(first)])
        expect(form.length / 4).toBeLessThanOrEqual(least.max_tokens)
    }
    for (let note = 0; note < 12; note++)
      await call('remember', {
        text: `Decision ${note}: invoices are paid ${note} days late. ${'Why. '.repeat(60)}`,
      })
    const notes = await pagesOf(call, 'recall', { query: 'when are invoices paid', k: 10, max_tokens: 900 })
    expect(notes.length).toBeGreaterThan(1)
    expect(new Set(notes.flat().map(({ id }) => id)).size).toBe(10)
  })

  it('goes on after the same hit when the index has moved, and says so', async () => {
    const repository = manyInvoices()
    const { call } = await startAgent(repository.work)
    const given = { query: 'compute the invoice', limit: 20, max_tokens: 900 }
    const first = await call('semantic_search', given)
    repository.write({ 'src/new.ts': 'export const unrelated = 1\n' })
    await call('index_status', { refresh: true })
    const second = await call('semantic_search', { ...given, cursor: first.data.cursor })
    expect(second.data.warnings.map(({ code }: { code: string }) => code)).toContain('INDEX_MOVED')
    // The order may be another now; what was shown last is behind us all the same.
    expect(second.data.hits.length).toBeGreaterThan(0)
    expect(second.data.hits.map(({ id }: HitData) => id)).not.toContain(first.data.hits.at(-1).id)
  })

  it('belongs to its question', async () => {
    const { call } = await startAgent(manyInvoices().work)
    const given = { query: 'compute the invoice', limit: 20, max_tokens: 900 }
    const { cursor } = (await call('semantic_search', given)).data
    for (const wrong of [
      { ...given, query: 'another', cursor },
      { ...given, path: 'src/**', cursor },
      { ...given, cursor: 'x' },
      { ...given, cursor: '' },
      { ...given, cursor: `${cursor}${cursor}` },
    ]) {
      const { isError, data } = await call('semantic_search', wrong)
      expect(isError).toBe(true)
      expect(data.error).toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('cursor') })
    }
    // How much is shown at a time may change.
    const { isError } = await call('semantic_search', {
      ...given,
      cursor,
      max_tokens: 500,
      detail: 'compact',
    })
    expect(isError).toBe(false)
  })
})
