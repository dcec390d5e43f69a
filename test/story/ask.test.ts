/** `quarry ask` through the binary: code and history in one ranking. */

import { describe, expect } from 'vitest'
import { gitRepository } from '../fixtures/git-repository.js'
import { type Scene, story } from './story.js'

const RETRY = 'export const retryRequest = () => {\n  return again()\n}\n'

const fill = ({ repo }: Scene): void => {
  const { commit } = gitRepository(repo)
  commit('Parse cookies of a response', { 'src/cookies.ts': 'export const parseCookies = () => []\n' })
  commit('Retry requests when the server is busy', { 'src/retry.ts': RETRY })
  commit('Stop retrying after a timeout, it made outages worse', {
    'src/retry.ts': RETRY.replace('again()', 'hasTimedOut() ? null : again()'),
  })
}

const ask = async (scene: Scene, ...args: readonly string[]) => {
  const ran = await scene.run('ask', ...args, '--json')
  const answer = JSON.parse(ran.stdout)
  return { ...ran, answer, kinds: answer.hits.map((hit: { kind: string }) => hit.kind) as string[] }
}

describe('quarry ask', () => {
  story('answers from code and history, and each hit says its kind', async scene => {
    fill(scene)
    const { code, answer, kinds } = await ask(scene, 'retry after timeout')
    expect(code).toBe(0)
    expect(new Set(kinds)).toEqual(new Set(['code', 'hunk']))
    const commits = answer.hits.filter((hit: { kind: string }) => hit.kind === 'hunk')
    expect(commits[0].message).toContain('Stop retrying after a timeout')
    expect(answer.index.documents).toBe(5)
  })

  story('puts commits first when the past is asked for, and code first when it is not', async scene => {
    fill(scene)
    expect((await ask(scene, 'why was retrying after a timeout changed')).kinds[0]).toBe('hunk')
    expect((await ask(scene, 'parseCookies')).kinds[0]).toBe('code')
  })

  story('is narrowed by --kind, explains itself, and respects the limit', async scene => {
    fill(scene)
    expect(new Set((await ask(scene, 'retry', '--kind', 'hunk')).kinds)).toEqual(new Set(['hunk']))
    expect(new Set((await ask(scene, 'retry', '--kind', 'code')).kinds)).toEqual(new Set(['code']))
    const { answer } = await ask(scene, 'retry', '-k', '1', '--explain')
    expect(answer.hits).toHaveLength(1)
    expect(answer.hits[0].explain.at(-1).stage).toBe('balance')
    const notes = await scene.run('ask', 'retry', '--kind', 'note')
    expect(notes.code).toBe(2)
    expect(notes.stderr).toContain('--kind code')
  })

  story('answers from the code alone where there is no repository', async scene => {
    scene.write('src/retry.ts', RETRY)
    expect((await ask(scene, 'retry')).kinds).toEqual(['code'])
    const history = await scene.run('ask', 'retry', '--kind', 'hunk')
    expect(history.code).toBe(2)
    expect(history.stderr).toContain('hint:')
  })
})
