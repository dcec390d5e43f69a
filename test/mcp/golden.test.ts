/**
 * One whole transcript for each tool: what a client sends and what comes back, with times, ids of this run and boundaries taken
 * out. `UPDATE_GOLDEN=1 npx vitest run test/mcp/golden.test.ts` writes them anew; the diff is for people to read.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tools } from '../../dist/mcp/tools/index.js'
import { startAgent } from './agent.js'
import { agentRepository } from './repository.js'

const FOLDER = join(import.meta.dirname, 'golden')

/** At least one call for each tool, failing ones too. */
const CALLS: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  semantic_search: [
    { query: 'where are requests retried', limit: 2 },
    { query: 'settings', detail: 'compact', path: 'src/config/**' },
    { query: 'retry', limit: 'many' },
  ],
  find_pattern: [
    { query: 'retry with backoff', k: 1 },
    { query: 'retry', author: 'nobody' },
  ],
  find_similar: [
    { path: 'src/http/retry.ts', line: 1, limit: 2 },
    { path: '../outside', line: 1 },
  ],
  explain_change: [{ file: 'src/http/retry.ts', k: 1 }, { file: 'no/such/file' }],
  index_status: [{}, { refesh: true }],
  remember: [
    {
      text: 'Ada decided that requests are retried three times.',
      tags: ['http'],
      time: '2020-05-01T00:00:00Z',
    },
    { text: '' },
  ],
  recall: [
    { query: 'how often are requests retried', k: 1 },
    { query: 'x', speaker: 'nobody' },
  ],
}

it('holds one for every tool', async () => {
  const { work } = agentRepository()
  const { client, call } = await startAgent(work)
  // Scores depend on how much is indexed: all of it, before anything is asked.
  await call('semantic_search', { query: 'x', kinds: ['code', 'hunk'] })
  const { tools: listed } = await client.listTools()
  expect(tools.map(({ name }) => name).filter(name => !(name in CALLS))).toEqual([])
  for (const [name, calls] of Object.entries(CALLS)) {
    const transcript: unknown[] = [{ listed: listed.find(tool => tool.name === name) }]
    for (const given of calls) {
      const { isError, text, data } = await call(name, given)
      transcript.push({ call: given, isError, text: text.split('\n'), data })
    }
    const shown = `${normalised(JSON.stringify(transcript, null, 2), work)}\n`
    const file = join(FOLDER, `${name}.golden`)
    if (process.env.UPDATE_GOLDEN === '1') {
      mkdirSync(FOLDER, { recursive: true })
      writeFileSync(file, shown)
    }
    expect(shown).toBe(readFileSync(file, 'utf8'))
  }
})

const normalised = (text: string, work: string): string =>
  text
    .replaceAll(work, 'WORK')
    .replaceAll(/--- [0-9a-f]{24}/g, '--- BOUNDARY')
    .replaceAll(/20(?:2[4-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
    .replaceAll(/static-\d+\/[0-9a-f]+/g, 'STATIC')
    .replaceAll(/("(?:score|share)": )-?[\d.e-]+/g, '$1"NUMBER"')
