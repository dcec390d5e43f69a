/** `quarry ask` through the binary: code and history in one ranking. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { indexDirectory } from '../../dist/config/directories.js'
import { gitRepository } from '../fixtures/git-repository.js'
import { type Scene, story } from './story.js'

const RETRY = 'export const retryRequest = () => {\n  return again()\n}\n'

const REBUILD = 'quarry index --rebuild'

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
  story('puts kinds behind in which no word of the question occurs', async scene => {
    fill(scene)
    await scene.run('remember', 'the zebra crossing is closed since March')
    const { kinds, answer } = await ask(scene, 'zebra')
    expect(kinds[0]).toBe('note')
    expect(answer.warnings.map(({ code }: { code: string }) => code)).toContain('NO_WORD_FOUND')
  })

  story(
    'shows the secrets of code, commits and notes to nobody, whatever is asked and printed',
    async scene => {
      const key = ['AK', 'IA', 'QWERTZUIOPASDFG2'].join('')
      const token = `ghp_${'Ab3dEf9hIj'.repeat(4).slice(0, 36)}`
      const { commit } = gitRepository(scene.repo)
      const bucket = (id: string) => `KEY_ID = "${id}"\n\ndef connect_to_bucket():\n    return KEY_ID\n`
      commit('Connect to the bucket', { 'aws.py': bucket('none') })
      commit(`Connect to the bucket by a key\n\nThe token is ${token}`, { 'aws.py': bucket(key) })
      scene.write('other.py', bucket(key).replace('def', '# like it\ndef'))
      await scene.run('remember', `connect to the bucket with ${token}`)
      const ways = [
        ...[
          ['ask', 'connect to bucket'],
          ['ask', 'connect to bucket', '--detail', 'full'],
        ],
        ...['json', 'jsonl', 'markdown'].map(format => ['ask', 'connect to bucket', '--format', format]),
        ...['text', 'json', 'markdown'].map(format => ['explain', 'aws.py:1', '--format', format]),
        ['similar', 'aws.py:1'],
      ]
      for (const way of ways) {
        const { code, stdout } = await scene.run(...way)
        expect([way, code]).toEqual([way, 0])
        expect(stdout).toContain('[REDACTED:aws]')
        expect(stdout.includes(key) || stdout.includes(token), way.join(' ')).toBe(false)
      }
      const { stdout } = await scene.runWith({ stdin: 'connect to bucket\n' }, 'recall', '--queries', '-')
      expect(JSON.parse(stdout).hits[0].text).toBe('connect to the bucket with [REDACTED:github]')
    },
  )

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

  // One opens and fails when it is read, the other does not even open.
  for (const [part, start] of [
    ['code', 8192],
    ['history', 0],
  ] as const)
    story(`a damaged index of the ${part} is a warning, and the rest answers`, async scene => {
      fill(scene)
      await ask(scene, 'retry')
      const isCode = part === 'code'
      const directory = indexDirectory(join(scene.home, 'data'), scene.repo)
      const file = join(directory, isCode ? '' : part, 'index.sqlite')
      const whole = readFileSync(file)
      const bad = Buffer.alloc(whole.length - start, 0x5a)
      writeFileSync(file, Buffer.concat([whole.subarray(0, start), bad]))
      const damage = { code: 'INDEX_DAMAGED', message: expect.stringContaining(file), hint: REBUILD }
      const { code, answer, kinds } = await ask(scene, 'retry')
      expect([code, ...new Set(kinds)]).toEqual([0, isCode ? 'hunk' : 'code'])
      expect(answer.warnings).toContainEqual(damage)
      if (isCode) {
        const found = await scene.run('find', 'retry', '--json')
        expect([found.code, JSON.parse(found.stdout).warnings]).toEqual([0, expect.arrayContaining([damage])])
      }
      const status = await scene.run('status')
      expect(status.stdout).toMatch(isCode ? /^state +cannot be read/m : /^history +cannot be read/m)
      expect(status.stdout).toMatch(isCode ? /^history +3 commits/m : /^files +2$/m)
      expect(status.stderr).toContain(REBUILD)
      const doctor = await scene.run('doctor', '--offline')
      expect(doctor.stdout).toMatch(isCode ? /error +index: / : /error +index of history: /)
    })
})
