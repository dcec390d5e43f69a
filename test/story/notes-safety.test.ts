/** Notes are user data: what was acknowledged is there, whatever happens to processes, disks and files. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect } from 'vitest'
import { randomNumbers } from '../adapters/stores/sqlite/processes.js'
import { type Scene, story } from './story.js'

const CHILD = resolve(import.meta.dirname, '../../build/test/processes/notes-child.js')
const KILLS = 50

const jsonl = (...turns: readonly object[]): string => turns.map(turn => `${JSON.stringify(turn)}\n`).join('')

const notebookOf = ({ home }: Scene): string => {
  const notes = join(home, 'data', 'notes')
  return join(notes, readdirSync(notes)[0]!, 'notebook.sqlite')
}

const listed = async (scene: Scene): Promise<string[]> =>
  JSON.parse((await scene.run('notes', 'list', '--json')).stdout).notes.map(
    ({ name }: { name: string }) => name,
  )

const startChild = (scene: Scene, ...args: readonly string[]) =>
  spawn(process.execPath, [CHILD, scene.repo, ...args], {
    env: { PATH: process.env.PATH, QUARRY_HOME: scene.home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Lets it note a few things and kills it in the middle of the next. */
const killOnce = async (scene: Scene, prefix: string, random: () => number): Promise<readonly string[]> => {
  const child = startChild(scene, prefix)
  const closed = once(child, 'close')
  const noted: string[] = []
  const enough = 1 + Math.floor(random() * 4)
  const heard = new Promise<void>(resume => {
    createInterface({ input: child.stdout }).on('line', line => {
      noted.push(JSON.parse(line).id)
      if (noted.length >= enough) resume()
    })
  })
  await Promise.race([heard, closed])
  await pause(random() * 12)
  child.kill('SIGKILL')
  await closed
  return noted
}

describe.concurrent('a process that remembers', () => {
  for (const seed of [4, 20_261_116])
    story(`killed ${KILLS} times (${seed}): every note that was acknowledged is there`, async scene => {
      const random = randomNumbers(seed)
      const noted: string[] = []
      for (let kill = 0; kill < KILLS; kill++)
        noted.push(...(await killOnce(scene, `kill ${kill} of ${seed}`, random)))
      expect(noted.length).toBeGreaterThanOrEqual(KILLS)
      const there = new Set(await listed(scene))
      expect(noted.filter(id => !there.has(`remembered/${id}`))).toEqual([])
      const { stdout } = await scene.run('doctor', '--deep', '--offline')
      expect(stdout).toMatch(/ok +notes: \d+ in the notebook, every one was read/)
    })

  story('killed as the binary: what it printed is there', async scene => {
    const random = randomNumbers(9)
    await scene.run('remember', 'the first')
    const printed: string[] = []
    for (let kill = 0; kill < 12; kill++) {
      const run = scene.start({}, 'remember', `thought ${kill}`)
      run.process.stdout.on('data', () => run.process.kill('SIGKILL'))
      if (kill % 3 === 0) setTimeout(() => run.process.kill('SIGKILL'), 100 + random() * 400)
      printed.push((await run.ended()).stdout.trim())
    }
    const there = new Set(await listed(scene))
    const acknowledged = printed.filter(id => id !== '')
    expect(acknowledged.length).toBeGreaterThan(3)
    expect(acknowledged.filter(id => !there.has(`remembered/${id}`))).toEqual([])
  })

  story('beside others: all notes of all of them are there', async scene => {
    const counts = await Promise.all(
      ['a', 'b', 'c'].map(async prefix => {
        const child = startChild(scene, prefix, '20')
        child.stdout.resume()
        const [code] = await once(child, 'close')
        return code
      }),
    )
    expect(counts).toEqual([0, 0, 0])
    expect(await listed(scene)).toHaveLength(60)
  })

  story('loses no acknowledged note when the tail of the log is lost behind it', async scene => {
    // The model: what was synced is on the disk, any part of what came later may be missing.
    const child = startChild(scene, 'power', '8', '200')
    const copies: { readonly noted: number; readonly directory: string }[] = []
    let noted = 0
    createInterface({ input: child.stdout }).on('line', () => {
      noted++
      const directory = join(scene.home, `copy-${noted}`)
      mkdirSync(directory)
      const file = notebookOf(scene)
      // Read and written, not copied: a copy of a file that shrinks meanwhile never ends.
      for (const suffix of ['', '-wal'])
        if (existsSync(file + suffix))
          writeFileSync(join(directory, `notebook.sqlite${suffix}`), readFileSync(file + suffix))
      copies.push({ noted, directory })
    })
    await once(child, 'close')
    expect(copies).toHaveLength(8)
    for (const { noted, directory } of copies) {
      // Rubbish behind what was synced, as a torn write leaves it.
      const log = join(directory, 'notebook.sqlite-wal')
      if (existsSync(log)) writeFileSync(log, Buffer.concat([readFileSync(log), Buffer.alloc(5_000, 7)]))
      const database = new DatabaseSync(join(directory, 'notebook.sqlite'))
      const { count } = database.prepare('SELECT count(*) AS count FROM notes').get() as { count: number }
      database.close()
      expect(count).toBeGreaterThanOrEqual(noted)
    }
  })
})

describe.concurrent('the notebook', () => {
  story(
    'goes out and in again without loss: the second export equals the first, byte by byte',
    async scene => {
      scene.write('diary/a.md', '---\ndate: 2024-05-01\ntags: [x]\n---\n# A\r\n\r\ntext \u2028 end')
      scene.write('diary/b.txt', 'plain\ttext')
      const turns = [
        {
          session: 's/1',
          time: '2024-05-01T10:00:00Z',
          speaker: 'Ada',
          text: 'one',
          id: 'a',
          extra: { deep: [1, null] },
        },
        { session: 's/1', time: '2024-05-02', speaker: 'Bob', text: 'two\n\u0000three', mood: 'calm' },
        { session: 's/1', time: '9999-01-01', speaker: '', text: 'when?' },
        { session: 'undated', speaker: 'Zoë', text: 'never' },
      ]
      scene.write('diary/talk.jsonl', jsonl(...turns))
      await scene.run('notes', 'add', 'diary', '--tag', 'all')
      await scene.runWith({ stdin: 'remembered \u0000 \u001b text' }, 'remember', '--tag', 'y')
      const first = join(scene.home, 'first.jsonl')
      expect((await scene.run('notes', 'export', first)).code).toBe(0)
      expect(statSync(first).mode & 0o777).toBe(0o600)
      const lines = readFileSync(first, 'utf8').trim().split('\n')
      expect(lines).toHaveLength(7)
      expect(lines.some(line => line.includes('"extra":{"deep":[1,null]}'))).toBe(true)
      const fresh = { environment: { QUARRY_HOME: join(scene.home, 'fresh') } }
      const taken = await scene.runWith(fresh, 'notes', 'import', first, '--json')
      expect(JSON.parse(taken.stdout)).toMatchObject({ added: 6, changed: 0, unchanged: 0, remarks: [] })
      const second = await scene.runWith(fresh, 'notes', 'export')
      expect(second.stdout).toBe(readFileSync(first, 'utf8'))
      expect(
        JSON.parse((await scene.runWith(fresh, 'notes', 'import', first, '--json')).stdout),
      ).toMatchObject({ unchanged: 6 })
      const found = await scene.runWith(fresh, 'recall', 'three', '--json')
      expect(JSON.parse(found.stdout).hits[0].text).toBe('two\n\u0000three')

      const other = lines.map(line => line.replace('plain\\ttext', 'other text'))
      const changed = scene.write('changed.jsonl', `${other.join('\n')}\n{"name":"x"}\nnonsense\n`)
      const refused = JSON.parse((await scene.runWith(fresh, 'notes', 'import', changed, '--json')).stdout)
      expect(refused).toMatchObject({ unchanged: 5, rejected: 3 })
      expect(refused.remarks.map(({ line }: { line: number }) => line)).toEqual([3, 8, 9])
      expect(
        JSON.parse((await scene.runWith(fresh, 'notes', 'import', changed, '--replace', '--json')).stdout),
      ).toMatchObject({ changed: 1 })
      expect((await scene.run('notes', 'export', scene.write('mine.txt', 'my own'))).code).toBe(2)
      expect((await scene.run('notes', 'import', 'mine.txt')).code).toBe(2)
    },
  )

  story('that is damaged is found out, left alone, and whatever can be read is saved', async scene => {
    const turns = Array.from({ length: 300 }, (_, n) => ({
      ...{
        session: `s${n}`,
        time: '2024-05-01',
        speaker: 'Ada',
        text: `The secret of room ${n}. ${'word '.repeat(60)}`,
      },
    }))
    await scene.run('notes', 'add', scene.write('talk.jsonl', jsonl(...turns)))
    const file = notebookOf(scene)
    const whole = readFileSync(file)
    const broken = Buffer.from(whole)
    broken.fill(0x5a, 30 * 4096, 34 * 4096)
    writeFileSync(file, broken)
    const doctor = await scene.run('doctor', '--deep', '--offline')
    expect([doctor.code, doctor.stdout]).toEqual([2, expect.stringMatching(/error +notes: /)])
    expect(doctor.stdout).toContain('quarry notes export')
    const saved = join(scene.home, 'saved.jsonl')
    const exported = await scene.run('notes', 'export', saved)
    expect([exported.code, exported.stderr]).toEqual([2, expect.stringContaining('damaged:')])
    const lines = readFileSync(saved, 'utf8').trim().split('\n')
    expect(lines.length).toBeGreaterThan(250)
    expect(readFileSync(file).equals(broken)).toBe(true)
    const fresh = { environment: { QUARRY_HOME: join(scene.home, 'fresh') } }
    expect((await scene.runWith(fresh, 'notes', 'import', saved)).code).toBe(0)

    for (const rubbish of [Buffer.alloc(0), Buffer.from('not a database at all'), whole.subarray(0, 5_000)]) {
      writeFileSync(file, rubbish)
      const refused = await scene.run('remember', 'one more', '--json')
      expect([refused.code, JSON.parse(refused.stderr).error.code]).toEqual([2, 'NOTES_DAMAGED'])
      expect((await scene.run('status', '--json')).stdout).toContain('NOTES_DAMAGED')
      expect(readFileSync(file).equals(rubbish)).toBe(true)
    }
  })

  story('that a newer Quarry wrote is refused, and the code still answers', async scene => {
    scene.write('src/retry.ts', 'export const retryRequest = () => again()\n')
    await scene.run('remember', 'retryRequest is ours')
    const database = new DatabaseSync(notebookOf(scene))
    database.exec('PRAGMA user_version = 99')
    database.close()
    const refused = await scene.run('recall', 'retry', '--json')
    expect([refused.code, JSON.parse(refused.stderr).error.code]).toEqual([2, 'NOTES_TOO_NEW'])
    const asked = JSON.parse((await scene.run('ask', 'retryRequest', '--json')).stdout)
    expect(asked.hits[0].kind).toBe('code')
    expect(asked.warnings).toContainEqual(expect.objectContaining({ code: 'NOTES_TOO_NEW' }))
  })

  story('without room says so, keeps what it has, and takes the note when there is room', async scene => {
    await scene.run('remember', 'before')
    const limited = { shell: `trap '' XFSZ; ulimit -f 40` }
    const note = 'word '.repeat(30_000)
    const full = await scene.runWith({ ...limited, stdin: note }, 'remember', '--json')
    expect(full.code).toBe(74)
    expect(JSON.parse(full.stderr).error).toMatchObject({
      code: 'DISK_FULL',
      message: /MB free/,
      hint: /make room/,
    })
    expect(await listed(scene)).toHaveLength(1)
    expect((await scene.runWith({ stdin: note }, 'remember')).code).toBe(0)
    expect(await listed(scene)).toHaveLength(2)
    const none = {
      ...limited,
      shell: `trap '' XFSZ; ulimit -f 0`,
      environment: { QUARRY_HOME: join(scene.home, 'none') },
    }
    expect((await scene.runWith(none, 'remember', 'x', '--json')).code).toBe(74)
  })

  story(
    'a directory with thousands of files is taken in, and the second time nothing is new',
    async scene => {
      for (let n = 0; n < 3_000; n++)
        scene.write(`many/${n % 30}/note-${n}.md`, `# Note ${n}\n\nAbout subject${n}.\n`)
      const first = JSON.parse((await scene.run('notes', 'add', 'many', '--json')).stdout)
      expect(first).toMatchObject({ files: 3_000, added: 3_000, rejected: 0 })
      expect(JSON.parse((await scene.run('notes', 'add', 'many', '--json')).stdout)).toMatchObject({
        unchanged: 3_000,
      })
      const { hits } = JSON.parse((await scene.run('recall', 'subject1234', '--json')).stdout)
      expect(hits[0].path).toBe('many/4/note-1234.md')
      expect(dirname(notebookOf(scene))).not.toContain('cache')
    },
  )
})

describe.concurrent('beside code and history', () => {
  story('ask ranks all kinds, --kind narrows, status counts', async scene => {
    scene.write('src/retry.ts', 'export const retryRequest = () => {\n  return again()\n}\n')
    await scene.run('remember', 'We agreed that retryRequest gives up after three attempts')
    const ask = async (...args: readonly string[]) => {
      const { hits } = JSON.parse((await scene.run('ask', ...args, '--json')).stdout)
      return hits.map(({ kind }: { kind: string }) => kind)
    }
    expect((await ask('retryRequest')).sort()).toEqual(['code', 'note'])
    expect((await ask('what did we agree about retryRequest'))[0]).toBe('note')
    expect(await ask('retryRequest', '--kind', 'note')).toEqual(['note'])
    expect(await ask('retryRequest', '--kind', 'code')).toEqual(['code'])
    const { notes } = JSON.parse((await scene.run('status', '--json')).stdout)
    expect(notes).toMatchObject({ notes: 1, sessions: 0, pending: 0, index: { documents: 1 } })
    await scene.run('remember', 'another')
    expect((await scene.run('status')).stdout).toMatch(/notes +2 notes, 0 conversations, 1 not searched yet/)
  })
})
