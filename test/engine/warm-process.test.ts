import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Scene, scene } from './scene.js'

const MAIN = join(import.meta.dirname, '../../dist/cli/main.js')

let current: Scene
afterEach(() => current.end())

/** What is kept between questions belongs to one state of the index; the next question must not see it. */
describe('one process that answers many questions', () => {
  it('finds what was noted since the last one, and no longer what was forgotten', async () => {
    current = scene({})
    const quarry = await current.open()
    const recall = async (question: string) =>
      (await quarry.recall(question, { rerank: false, limit: 3 })).hits.map(({ text }) => text)
    const { id } = await quarry.notes.remember('the spare key lies under the blue flower pot')
    expect(await recall('where is the spare key')).toEqual(['the spare key lies under the blue flower pot'])
    // Many more than before: whatever was made for the size of the index is too small now.
    for (let number = 0; number < 60; number++)
      await quarry.notes.remember(`meeting ${number} about the garden wall of house ${number}`)
    await quarry.notes.remember('the spare key was moved to the neighbour')
    expect(await recall('where is the spare key')).toEqual(
      expect.arrayContaining([
        'the spare key was moved to the neighbour',
        'the spare key lies under the blue flower pot',
      ]),
    )
    await quarry.notes.forget(id)
    const left = await recall('where is the spare key')
    expect(left[0]).toBe('the spare key was moved to the neighbour')
    expect(left).not.toContain('the spare key lies under the blue flower pot')
    expect(await recall('meeting about the garden wall of house 59')).toContain(
      'meeting 59 about the garden wall of house 59',
    )
  })

  it('finds what another process noted since, and who speaks in it', async () => {
    current = scene({})
    const quarry = await current.open()
    await quarry.notes.remember('the spare key lies under the blue flower pot')
    const recall = async () =>
      (await quarry.recall('what did Zelda say about the spare key', { rerank: false, explain: true })).hits
    expect(await recall()).toHaveLength(1)
    const talk = ['Zelda', 'Link'].map(speaker => ({ session: 's1', speaker, text: 'the spare key is gone' }))
    current.write('talk.jsonl', talk.map(turn => JSON.stringify(turn)).join('\n'))
    execFileSync(process.execPath, [MAIN, 'notes', 'add', 'talk.jsonl'], {
      cwd: current.root,
      env: { ...process.env, QUARRY_HOME: current.home, QUARRY_OFFLINE: '1', QUARRY_BACKGROUND: '0' },
    })
    const [first, second, third] = await recall()
    expect([first?.note?.speaker, second?.note?.speaker]).toEqual(['Zelda', 'Link'])
    expect(third?.text).toBe('the spare key lies under the blue flower pot')
  })

  it('finds the commit that was made since, on a branch that moved, with the names in it', async () => {
    current = scene({})
    const git = (...args: string[]) =>
      execFileSync('git', [
        '-C',
        current.root,
        '-c',
        'user.name=A',
        '-c',
        'user.email=a@example.org',
        ...args,
      ])
    const commit = (message: string, text: string): void => {
      current.write('lamp.py', text)
      git('add', '.')
      git('commit', '--quiet', '-m', message)
    }
    git('init', '--quiet')
    commit('Build the lamp', 'def shine():\n    return 1\n')
    git('pack-refs', '--all')
    const quarry = await current.open()
    const find = async (question: string) => {
      const [hit] = (await quarry.find(question, { exactSymbols: true, limit: 1 })).hits
      return [hit?.message, hit?.symbols, hit?.symbolProvenance]
    }
    expect(await find('Build the lamp')).toEqual(['Build the lamp', ['shine'], 'exact'])
    commit('Dim the lamp', 'def shine():\n    return 1\n\n\ndef dim():\n    return 0\n')
    expect(await find('Dim the lamp')).toEqual(['Dim the lamp', ['dim'], 'exact'])
    git('pack-refs', '--all')
    git('reset', '--quiet', '--hard', 'HEAD~1')
    expect(await find('Dim the lamp')).toEqual(['Build the lamp', ['shine'], 'exact'])
  })

  it('gives the same answer to the same question, whatever was asked between', async () => {
    current = scene()
    const quarry = await current.open()
    const ask = async (question: string) => (await quarry.search(question, { explain: true })).hits
    const before = await ask('retry a request while the server is busy')
    for (const other of ['evict the oldest entry', 'cookies', 'retry', 'nothing like zebra']) await ask(other)
    expect(await ask('retry a request while the server is busy')).toEqual(before)
  })
})
