/** Notes through the binary: remembered, taken in from files, recalled, taken out again. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type Scene, story } from './story.js'

const jsonl = (...turns: readonly object[]): string => turns.map(turn => `${JSON.stringify(turn)}\n`).join('')

const STANDUP = [
  { session: 'standup', time: '2024-05-01T09:00:00Z', speaker: 'Ada', text: 'Who broke the staging build?' },
  {
    session: 'standup',
    time: '2024-05-01T09:01:00Z',
    speaker: 'Ben',
    text: 'I did, the certificate had expired.',
  },
  {
    session: 'standup',
    time: '2024-05-01T09:02:00Z',
    speaker: 'Ada',
    text: 'Renew it before lunch then.',
    id: 't3',
  },
  { session: 'standup', time: '2024-05-02T09:00:00Z', speaker: 'Ben', text: 'The certificate is renewed.' },
]

const recall = async (scene: Scene, ...args: readonly string[]) => {
  const { code, stdout } = await scene.run('recall', '--json', ...args)
  return { code, answer: JSON.parse(stdout) }
}

describe.concurrent('notes', () => {
  story('recall hears what stands around a turn: its question, its speaker, its day', async scene => {
    const said = (day: string, speaker: string, text: string, id: string) => ({
      ...{ session: `talk-${day}`, time: `${day}T09:00:00Z`, speaker, text, id },
    })
    const turns = [
      said('2023-05-08', 'Cleo', 'Good morning! How was the weekend with the children?', 'a1'),
      said('2023-05-08', 'Dan', 'We went camping by the lake. It rained all night.', 'a2'),
      said('2023-05-08', 'Cleo', 'Which tent did you take?', 'a3'),
      said('2023-05-08', 'Dan', 'The old green one, it leaks at the seam.', 'a4'),
      said('2023-06-20', 'Dan', 'I painted the fence yesterday.', 'b1'),
      said('2023-06-20', 'Cleo', 'I painted too: a sunrise for the exhibition.', 'b2'),
      said('2023-06-20', 'Dan', 'Nice, I would love to see it.', 'b3'),
      said('2023-07-02', 'Cleo', 'The exhibition opens next week.', 'c1'),
      said('2023-07-02', 'Dan', 'I will bring the kids.', 'c2'),
    ]
    scene.write('talk.jsonl', jsonl(...turns))
    await scene.run('notes', 'add', 'talk.jsonl')
    const first = async (question: string) => (await recall(scene, question)).answer.hits[0].note.id
    // The answer names no tent; the turn before it asks for one.
    const tent = (await recall(scene, 'Which tent did Dan take?')).answer.hits
    expect(tent.slice(0, 2).map((hit: { note: { id: string } }) => hit.note.id)).toContain('a4')
    expect(await first('What did Cleo paint?')).toBe('b2')
    expect(await first('What did Dan paint?')).toBe('b1')
    expect(await first('What did Dan say in July 2023?')).toBe('c2')
    const [{ explain }] = (await recall(scene, 'What did Cleo paint?', '--explain')).answer.hits
    const priors = explain.find(({ stage }: { stage: string }) => stage === 'priors')
    expect(priors.why).toMatch(/speaker/)
  })

  story('what was remembered is recalled, and what was forgotten is not', async scene => {
    const nothing = await scene.run('recall', 'anything')
    expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining('quarry remember')])
    const noted = await scene.run('remember', 'The staging database listens on port 5433', '--tag', 'ops,db')
    expect([noted.code, noted.stdout]).toEqual([0, expect.stringMatching(/^[0-9a-f]{12}\n$/)])
    const id = noted.stdout.trim()
    expect((await scene.run('remember', 'The staging database listens on port 5433')).stdout.trim()).toBe(id)
    await scene.runWith({ stdin: 'Fridays are for refactoring\n' }, 'remember', '--time', '2024-05-03')
    const { answer } = await recall(scene, 'which port has the database')
    expect(answer.hits[0]).toMatchObject({
      ...{ kind: 'note', path: `remembered/${id}`, text: 'The staging database listens on port 5433' },
      note: { form: 'note', id, tags: ['db', 'ops'] },
    })
    expect((await recall(scene, 'database', '--tag', 'nothing')).answer.hits).toEqual([])
    expect((await recall(scene, 'port Fridays', '--until', '2024-06-01')).answer.hits).toHaveLength(1)
    expect((await scene.run('forget', id)).code).toBe(0)
    expect((await recall(scene, 'which port has the database')).answer.hits).toEqual([
      expect.objectContaining({ text: 'Fridays are for refactoring' }),
    ])
    const again = await scene.run('forget', id, '--json')
    expect([again.code, JSON.parse(again.stderr).error.code]).toEqual([2, 'BAD_INPUT'])
  })

  story(
    'a conversation: each turn between its neighbours, by session, speaker, time and tag',
    async scene => {
      const file = scene.write('talk.jsonl', jsonl(...STANDUP))
      const added = await scene.run('notes', 'add', file, '--tag', 'team', '--json')
      expect(JSON.parse(added.stdout)).toMatchObject({
        files: 1,
        added: 2,
        changed: 0,
        turns: 4,
        remarks: [],
      })
      const { answer } = await recall(scene, 'why was staging broken: the expired certificate')
      expect(answer.hits[0]).toMatchObject({
        ...{
          kind: 'note',
          path: 'sessions/standup/2024-05-01',
          startLine: 2,
          endLine: 2,
          language: 'conversation',
        },
        text: 'I did, the certificate had expired.',
        note: {
          ...{ form: 'session', session: 'standup', turn: 2, speaker: 'Ben', tags: ['team'] },
          ...{ time: '2024-05-01T09:01:00.000Z', origin: file },
        },
        neighbours: [
          { turn: 1, speaker: 'Ada', time: '2024-05-01T09:00:00.000Z', text: 'Who broke the staging build?' },
          { turn: 3, speaker: 'Ada', text: 'Renew it before lunch then.' },
        ],
      })
      const said = async (...flags: readonly string[]) =>
        (await recall(scene, 'certificate renew', ...flags)).answer.hits.map(
          (hit: { text: string }) => hit.text,
        )
      expect((await said('--speaker', 'ada')).sort()).toEqual([STANDUP[2]!.text, STANDUP[0]!.text].sort())
      expect(await said('--since', '2024-05-02')).toEqual([STANDUP[3]!.text])
      expect(await said('--since', '2024-05-01T09:01:30Z', '--until', '2024-05-01T23:00:00Z')).toEqual([
        STANDUP[2]!.text,
      ])
      expect(await said('--session', 'stand')).toEqual([])
      expect(
        await said('--session', 'standup', '--tag', 'team', '-k', '1', '--max-per-session', '1'),
      ).toHaveLength(1)
      const text = (await scene.run('recall', 'expired certificate', '-k', '1')).stdout
      expect(text).toMatch(/^2024-05-01 09:01 {2}Ben {2}standup, turn 2 {2}#team {2}[0-9a-f]{16}\n/)
      expect(text).toContain(
        '    Ada: Who broke the staging build?\n  > I did, the certificate had expired.\n    Ada: Renew it',
      )
      const asked = scene.write(
        'asked.jsonl',
        jsonl({ id: 'q1', query: 'lunch' }, { id: 'q2', query: 'renewed' }),
      )
      const lines = (await scene.run('recall', '--queries', asked)).stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
      expect(lines.map(({ id, hits }) => [id, hits[0].text])).toEqual([
        ['q1', STANDUP[2]!.text],
        ['q2', STANDUP[3]!.text],
      ])
    },
  )

  story('time words are counted from --now, shown, and prefer without hiding', async scene => {
    const talk = ['2024-04-10', '2024-05-10', '2024-06-10'].map(day => ({
      ...{
        session: 's',
        time: day,
        speaker: 'Ada',
        text: `We walked along the river. It was the ${day} walk.`,
      },
    }))
    await scene.run('notes', 'add', scene.write('walks.jsonl', jsonl(...talk)))
    const { answer } = await recall(scene, 'the river walk in May', '--now', '2024-07-01')
    expect(answer.understood).toEqual(['“in May”: since 2024-05-01, until 2024-05-31, preferred'])
    expect(answer.hits).toHaveLength(3)
    expect(answer.hits[0].path).toBe('sessions/s/2024-05-10')
    expect((await recall(scene, 'the river walk in May', '--since', '2024-06-01')).answer).not.toHaveProperty(
      'understood',
    )
  })

  story('files: what is the same stays, what changed is replaced, what grew is joined', async scene => {
    scene.write(
      'diary/2024-05-01-walk.md',
      '---\ntags: [walks, "by the river"]\n---\n# Walk\n\nA heron stood there.\n',
    )
    scene.write('diary/plain.txt', 'First paragraph about otters.\n\nSecond paragraph about kingfishers.\n')
    scene.write('diary/.hidden/secret.md', 'not a note')
    scene.write('diary/picture.png', 'not a note')
    scene.write('diary/talk.jsonl', jsonl(...STANDUP.slice(0, 2)))
    const add = async () => JSON.parse((await scene.run('notes', 'add', 'diary', '--json')).stdout)
    expect(await add()).toMatchObject({ files: 3, added: 3, changed: 0, unchanged: 0, turns: 2, rejected: 0 })
    expect(await add()).toMatchObject({ files: 3, added: 0, changed: 0, unchanged: 3, turns: 0 })
    const heron = (await recall(scene, 'heron')).answer.hits[0]
    expect(heron).toMatchObject({
      ...{ path: 'diary/2024-05-01-walk.md', startLine: 4, endLine: 6, symbol: 'Walk' },
      note: { form: 'markdown', time: '2024-05-01T00:00:00.000Z', tags: ['by the river', 'walks'] },
    })
    scene.write('diary/2024-05-01-walk.md', '# Walk\n\nIt was a stork.\n')
    scene.write('diary/talk.jsonl', jsonl(...STANDUP.slice(1)))
    expect(await add()).toMatchObject({ added: 1, changed: 2, unchanged: 1, turns: 2 })
    expect(
      (await recall(scene, 'heron')).answer.hits.map(({ text }: { text: string }) => text),
    ).not.toContain('A heron stood there.')
    const shown = JSON.parse(
      (await scene.run('notes', 'show', 'sessions/standup/2024-05-01', '--json')).stdout,
    )
    expect(shown.text.split('\n')).toHaveLength(3)
    const listed = JSON.parse((await scene.run('notes', 'list', '--json')).stdout).notes
    expect(listed.map(({ name }: { name: string }) => name)).toEqual([
      ...['diary/2024-05-01-walk.md', 'diary/plain.txt'],
      ...['sessions/standup/2024-05-01', 'sessions/standup/2024-05-02'],
    ])
    const removed = await scene.run('notes', 'remove', 'sessions/**', 'diary/plain.txt', '--json')
    expect(JSON.parse(removed.stdout).removed).toHaveLength(3)
    expect((await scene.run('notes', 'remove', 'nowhere')).code).toBe(2)
  })

  story('forget takes one turn out of a conversation, by the id of its hit', async scene => {
    await scene.run('notes', 'add', scene.write('talk.jsonl', jsonl(...STANDUP)))
    const { answer } = await recall(scene, 'renew before lunch', '-k', '1')
    const forgotten = await scene.run('forget', answer.hits[0].id, '--json')
    expect(JSON.parse(forgotten.stdout)).toEqual({
      name: 'sessions/standup/2024-05-01',
      turn: 3,
      text: STANDUP[2]!.text,
    })
    const rest = (await recall(scene, 'renew before lunch')).answer.hits
    expect(rest.map(({ text }: { text: string }) => text)).not.toContain(STANDUP[2]!.text)
  })

  story('purge and rebuild throw away what is searched, never what was noted', async scene => {
    await scene.run('remember', 'keep me whatever happens')
    expect((await recall(scene, 'keep me')).answer.hits).toHaveLength(1)
    expect((await scene.run('purge', '--yes')).code).toBe(0)
    expect((await recall(scene, 'keep me')).answer.hits).toHaveLength(1)
    expect((await scene.run('index', '--rebuild', '--fast', '--offline', '--quiet')).code).toBe(0)
    const run = await scene.run('index', '--notes', '--fast', '--json', '--offline')
    expect(JSON.parse(run.stdout)).toMatchObject({ added: 0, unchanged: 1 })
    rmSync(join(scene.home, 'data', 'indexes'), { recursive: true })
    rmSync(join(scene.home, 'cache'), { recursive: true, force: true })
    expect((await recall(scene, 'keep me')).answer.hits).toHaveLength(1)
    expect(readdirSync(join(scene.home, 'data', 'notes'))).toEqual([
      expect.stringMatching(/^repo-[0-9a-f]{12}$/),
    ])
  })
})

describe.concurrent('what is no note', () => {
  story('pipes, links, empty and binary files are left out with a reason, and hang nobody', async scene => {
    mkdirSync(join(scene.repo, 'odd'))
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(scene.repo, 'odd/pipe.md')])
    symlinkSync('/etc/passwd', join(scene.repo, 'odd/link.txt'))
    symlinkSync('.', join(scene.repo, 'odd/loop.md'))
    scene.write('odd/empty.md', '')
    scene.write('odd/blank.txt', ' \n\n')
    scene.write('odd/binary.txt', Buffer.from([1, 0, 2, 0]))
    scene.write('odd/broken.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]))
    scene.write('odd/marked.md', '\ufeff# Marked\n\nby a byte order mark')
    scene.write('odd/wide.txt', Buffer.from('\ufeffsixteen bits', 'utf16le'))
    scene.write('odd/lines.jsonl', `\ufeff${jsonl(STANDUP[0]!)}{"broken\n${jsonl(STANDUP[1]!)}`)
    const { code, stdout, stderr } = await scene.run('notes', 'add', 'odd', '--json')
    expect(code).toBe(0)
    const { added, rejected, remarks } = JSON.parse(stdout)
    expect([added, rejected]).toEqual([4, 7])
    const said = remarks.map(({ path, line, isTaken }: { path: string; line?: number; isTaken: boolean }) => [
      path.split('/').at(-1),
      line ?? 0,
      isTaken,
    ])
    expect(said.sort()).toEqual([
      ['binary.txt', 0, false],
      ['blank.txt', 0, false],
      ['broken.txt', 0, true],
      ['empty.md', 0, false],
      ['lines.jsonl', 2, false],
      ['link.txt', 0, false],
      ['loop.md', 0, false],
      ['pipe.md', 0, false],
    ])
    expect(stderr).toContain('lines.jsonl:2: the line is not JSON')
    expect((await recall(scene, 'sixteen bits')).answer.hits[0].path).toBe('odd/wide.txt')
    expect((await recall(scene, 'Marked')).answer.hits[0]).toMatchObject({ symbol: 'Marked', startLine: 1 })
    for (const path of ['nowhere', 'odd/pipe.md'])
      expect((await scene.run('notes', 'add', path)).code).toBe(path === 'nowhere' ? 2 : 1)
  })

  story(
    'a note of a megabyte is taken, a longer one refused, and control characters do no harm',
    async scene => {
      const words = 'fluttering '.repeat(95_000)
      const { code } = await scene.runWith({ stdin: `${words}pangolin` }, 'remember')
      expect(code).toBe(0)
      expect((await recall(scene, 'pangolin', '-k', '1')).answer.hits[0].text.length).toBeLessThan(10_000)
      const refused = await scene.runWith({ stdin: words.repeat(2) }, 'remember', '--json')
      expect([refused.code, JSON.parse(refused.stderr).error.code]).toEqual([2, 'BAD_INPUT'])
      for (const empty of ['', ' \n', '\0'])
        expect((await scene.runWith({ stdin: empty }, 'remember')).code).toBe(empty === '\0' ? 0 : 2)
      const strange = 'a bell \u0007, an escape \u001b[31m, a zero \0 and a marmoset \u202e'
      await scene.runWith({ stdin: strange }, 'remember')
      expect((await recall(scene, 'marmoset', '-k', '1')).answer.hits[0].text).toBe(strange)
      expect((await scene.run('recall', 'marmoset', '-k', '1')).stdout).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u202e]/,
      )
      for (const tag of ['', ' ', 'x'.repeat(200), 'bell\u0007'])
        expect((await scene.run('remember', 'x', '--tag', tag)).code).toBe(2)
      expect((await scene.run('remember', 'x', '--time', 'soonish')).code).toBe(2)
      expect((await scene.run('remember', 'x', '--time', '9999-01-01')).code).toBe(2)
      expect(existsSync(join(scene.home, 'data', 'notes'))).toBe(true)
    },
  )
})
