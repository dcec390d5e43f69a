import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { fixtureRepository, writeTree } from '../bench/fixture-repository.js'
import { type Ran, type Scene, story } from './story.js'

const lines = (rows: readonly unknown[]): string => rows.map(row => `${JSON.stringify(row)}\n`).join('')

const DOCUMENTS = [
  { _id: 'retry', title: '', text: 'def retry_request(call, attempts):\n    return call()' },
  { _id: 'sort', title: '', text: 'def sort_mapping(mapping):\n    return sorted(mapping.items())' },
  { _id: 'a/b', title: '', text: 'def read_settings(path):\n    return open(path).read()' },
]
const QUERIES = [
  { _id: 'q1', text: 'sort a dict' },
  { _id: 'q2', text: 'read the settings file' },
  { _id: 'q3', text: 'retry a request' },
]

const beir = (scene: Scene, folder = 'tiny'): string => {
  scene.write(`${folder}/corpus.jsonl`, lines(DOCUMENTS))
  scene.write(`${folder}/queries.jsonl`, lines(QUERIES))
  scene.write(
    `${folder}/qrels/dev.tsv`,
    'query-id\tcorpus-id\tscore\nq1\tsort\t1\nq2\ta/b\t2\nq3\tretry\t1\nq3\tsort\t0\n',
  )
  return folder
}

/** Parsed, line by line. */
const jsonl = (scene: Scene, file: string): Record<string, unknown>[] =>
  readFileSync(join(scene.repo, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

/** Every element is closed, in order. */
const expectWellFormed = (xml: string): void => {
  const open: string[] = []
  for (const [, closes, name, isWhole] of xml.matchAll(/<(\/?)([a-z]+)(?:\s+[\w:-]+="[^"<]*")*\s*(\/?)>/gi)) {
    if (closes) expect(open.pop()).toBe(name)
    else if (!isWhole) open.push(name!)
  }
  expect(open).toEqual([])
  expect(xml.replace(/<[^>]*>/g, '')).not.toMatch(/[<]|&(?!amp;|lt;|gt;)/)
}

const said = ({ stdout, stderr }: Ran): string => stdout + stderr

describe('bench', () => {
  story('measures a BEIR folder with and without recorded rewrites, and writes it down', async scene => {
    beir(scene)
    // What a repository ignores is measured all the same.
    scene.write('.gitignore', '*\n')
    fixtureRepository(scene.repo)
    // What the user has set and downloaded counts, and is left alone.
    writeTree(scene.home, { 'config/config.toml': 'rrfK = 30\n', 'cache/models/mine': 'a model' })
    scene.write(
      'recorded.jsonl',
      lines([
        {
          set: 'tiny',
          id: 'q1',
          query: 'sort a dict',
          paraphrase: 'order a mapping',
          entity: 'sorted items',
        },
        { set: 'tiny', id: 'q2', query: 'read the settings file', entity: 'read_settings open' },
      ]),
    )
    const ran = await scene.run(
      ...['bench', 'tiny', '--fast', '--out', 'out', '--replay', 'recorded.jsonl'],
      ...['--strategies', 'entity', '--strategies', 'paraphrase,entity', '--variations', '1,3'],
    )
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout).toContain('## tiny-dev')
    expect(ran.stdout).toContain('2 of 3 questions')
    expect(ran.stdout).toMatch(/\| single query +\| +1\.000 \|/)
    expect(ran.stdout).toContain('documents are searched as .py files')
    expect(ran.stdout).toMatch(/Δ nDCG@10 \[95 %\]/)
    expect(ran.stderr).toContain('written to out: report.md, plot.svg, results.jsonl, questions.jsonl')

    const results = jsonl(scene, 'out/results.jsonl')
    expect(results.map(({ row }) => row)).toEqual([
      'single query',
      'entity, 1 variation',
      'entity, 3 variations',
      'paraphrase + entity, 1 variation',
      'paraphrase + entity, 3 variations',
    ])
    expect(results[2]).toMatchObject({
      ...{ set: 'tiny-dev', layout: 'documents', n: 2, available: 3, version: expect.stringMatching(/^\d/) },
      command: expect.stringContaining('quarry bench tiny --fast --out out --replay recorded.jsonl'),
      dataHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      machine: { cores: expect.any(Number) },
      settings: {
        ...{ 'expander.kind': 'openai', 'multiQuery.enabled': true, 'multiQuery.strategies': ['entity'] },
        ...{ 'embedding.models': [], rrfK: 30 },
      },
      rewritesHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      metrics: { 'nDCG@10': expect.any(Number), 'R@10': 1, 'R@100': 1, 'MRR@10': expect.any(Number) },
      differences: { 'nDCG@10': { queries: 2, low: expect.any(Number), high: expect.any(Number) } },
      latency: { p50: expect.any(Number), p95: expect.any(Number), expanderP50: expect.any(Number) },
      // The server was really asked, and had something to say.
      remarks: [],
    })
    expect(results[0]).not.toHaveProperty('differences')
    expect(results[0]!.settings).toEqual({ 'embedding.models': [], rrfK: 30 })
    expect(jsonl(scene, 'out/questions.jsonl')).toHaveLength(10)
    const svg = readFileSync(join(scene.repo, 'out/plot.svg'), 'utf8')
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
    expect(svg).toContain('prefers-color-scheme: dark')
    expectWellFormed(svg)
    expect(readFileSync(join(scene.repo, 'out/report.md'), 'utf8')).toContain('![scores](plot.svg)')
    // Nothing is left of the indexes, and the user's own home was not written to.
    expect(readdirSync(join(scene.repo, 'out')).sort()).toEqual([
      'plot.svg',
      'questions.jsonl',
      'report.md',
      'results.jsonl',
    ])
    expect(existsSync(join(scene.home, 'data'))).toBe(false)
    expect(readFileSync(join(scene.home, 'cache/models/mine'), 'utf8')).toBe('a model')
  })

  story('an interrupted run tidies up and says so by its exit code', async scene => {
    const documents = Array.from({ length: 400 }, (_, number) => ({
      ...{ _id: `d${number}`, title: `Report ${number}`, text: `numbers ${number} and words`.repeat(20) },
    }))
    scene.write('large/corpus.jsonl', lines(documents))
    scene.write('large/queries.jsonl', lines(documents.map(({ _id, title }) => ({ _id, text: title }))))
    const judged = documents.map(({ _id }) => `${_id}\t${_id}\t1\n`).join('')
    scene.write('large/qrels/test.tsv', `query-id\tcorpus-id\tscore\n${judged}`)
    const running = scene.start({}, 'bench', 'large', '--fast', '--out', 'out', '--profile', 'best,classic')
    await running.said('of 400 questions')
    running.process.kill('SIGINT')
    expect(await running.ended()).toMatchObject({ code: 130, stdout: '' })
    expect(existsSync(join(scene.repo, 'out/work'))).toBe(false)
    expect(existsSync(join(scene.home, 'data'))).toBe(false)
  })

  story('asks the same sample each time, keeps indexes on request, compares profiles', async scene => {
    beir(scene)
    const run = (out: string) =>
      scene.run(
        ...['bench', 'tiny', '--fast', '--limit', '2', '--home', 'kept', '--out', out, '--json'],
        ...['--profile', 'best,classic', '--expander', 'local'],
      )
    const [first, second] = [await run('one'), await run('two')]
    expect([first.code, second.code]).toEqual([0, 0])
    const [one, two] = [JSON.parse(first.stdout), JSON.parse(second.stdout)]
    expect(one.sets[0].rows.map(({ name }: { name: string }) => name)).toEqual([
      'best, single query',
      'best, local words',
      'classic, single query',
      'classic, local words',
    ])
    expect(one.sets[0].rows[0].n).toBe(2)
    expect(one.sets[0].rows[2].settings).toMatchObject({ profile: 'classic' })
    expect(two.sets[0].rows[0].metrics).toEqual(one.sets[0].rows[0].metrics)
    expect(jsonl(scene, 'one/questions.jsonl').map(({ id }) => id)).toEqual(
      jsonl(scene, 'two/questions.jsonl').map(({ id }) => id),
    )
    expect(existsSync(join(scene.repo, 'kept/data/indexes'))).toBe(true)
  })

  story('measures conversations: turns, sessions, categories', async scene => {
    const turn = (id: string, session: string, day: number, speaker: string, text: string) => ({
      ...{ _id: `c1/${id}`, conversation: 'c1', session, speaker, text: `${speaker}: ${text}` },
      date_time: `1:56 pm on ${day} May, 2023`,
    })
    scene.write(
      'talks/turns.jsonl',
      lines([
        turn('1', 's1', 8, 'Ada', 'I went to the pottery class'),
        turn('2', 's1', 8, 'Ben', 'How was the clay?'),
        turn('3', 's2', 9, 'Ada', 'My sister moved to Lisbon'),
      ]),
    )
    const question = (id: string, text: string, turns: string[], sessions: string[], category: string) => ({
      ...{ _id: id, conversation: 'c1', text, relevant_turns: turns, relevant_sessions: sessions },
      category_name: category,
    })
    scene.write(
      'talks/queries.jsonl',
      lines([
        question('q1', 'Who took a pottery class?', ['c1/1'], ['s1'], 'single-hop'),
        question('q2', 'Where did the sister move?', ['c1/3'], ['s2'], 'temporal'),
        question('q3', 'What was never said?', [], [], 'adversarial'),
      ]),
    )
    const ran = await scene.run('bench', 'talks', '--fast', '--out', 'out')
    expect(ran.code).toBe(0)
    expect(ran.stdout).toContain('2 questions, ranks of turns')
    expect(ran.stdout).toContain('single-hop (1)')
    expect(ran.stdout).toContain('left out: 1 × no turn holds the answer')
    expect(jsonl(scene, 'out/results.jsonl')[0]!.metrics).toMatchObject({
      ...{ 'R@10': 1, 'MRR@10': 1, 'session R@5': 1, 'session all@10': 1 },
    })
    expect(existsSync(join(scene.home, 'data'))).toBe(false)
  })

  const haystack = (id: string, type: string, question: string, answer: readonly number[]) => ({
    ...{ question_id: id, question_type: type, question, answer: 'whatever' },
    question_date: '2023/05/30 (Tue) 23:11',
    haystack_session_ids: ['noise_1', 'answer_1', 'noise_2'],
    haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/21 (Sun) 03:00', '2023/05/22 (Mon) 10:00'],
    haystack_sessions: [
      [
        { role: 'user', content: 'Which tyres suit a gravel bike?' },
        { role: 'assistant', content: 'Wide ones, "40 mm" or more {and} [tubeless].' },
      ],
      [
        { role: 'user', content: 'I assembled the IKEA bookshelf in 4 hours', has_answer: true },
        { role: 'assistant', content: 'Well done!', has_answer: false },
      ],
      [{ role: 'user', content: 'Recommend a film about trains' }],
    ],
    answer_session_ids: answer.map(number => `answer_${number}`),
  })

  story('measures a LongMemEval file: a notebook for each question, abstentions left out', async scene => {
    scene.write(
      'longmemeval_tiny.json',
      JSON.stringify(
        [
          haystack('q1', 'single-session-user', 'How long did the IKEA bookshelf take?', [1]),
          haystack('q2_abs', 'single-session-user', 'How long did the wardrobe take?', [1]),
          haystack('q3', 'multi-session', 'What did I assemble?', [1, 2]),
        ],
        null,
        2,
      ),
    )
    const ran = await scene.run('bench', 'longmemeval_tiny.json', '--fast', '--out', 'out')
    expect(ran.code).toBe(0)
    expect(ran.stdout).toContain('## longmemeval_tiny\n\n2 questions, ranks of turns')
    expect(ran.stdout).toContain('left out: 1 × an abstention question')
    const questions = jsonl(scene, 'out/questions.jsonl')
    expect(questions.map(({ id, category }) => [id, category])).toEqual([
      ['q1', 'single-session-user'],
      ['q3', 'multi-session'],
    ])
    expect(questions[0]!.scores).toMatchObject({ 'nDCG@10': 1, 'R@10': 1, 'session R@10': 1 })
    // Of two sessions with the answer the haystack holds one.
    expect(questions[1]!.scores).toMatchObject({ 'R@10': 1, 'session R@10': 0.5, 'session all@10': 0 })
  })

  story('takes code from clones at the pinned commit, and says what is missing', async scene => {
    const clone = fixtureRepository(join(scene.repo, 'clones/tiny'))
    writeTree(clone.work, { 'pkg/core.py': 'def load_settings(path):\n    pass\n', 'other.py': 'x = 1\n' })
    const revision = clone.commit('2020-01-01T00:00:00Z')
    writeTree(clone.work, { 'pkg/core.py': 'gone = True\n' })
    clone.commit('2021-01-01T00:00:00Z')
    const entry = (name: string) => ({
      ...{ name, language: 'python', url: `https://example.org/ada/${name}.git` },
      ...{ revision, benchmark_root: 'pkg' },
    })
    scene.write(
      'code/repos.json',
      JSON.stringify([
        entry('tiny'),
        entry('absent'),
        { ...entry('old'), url: entry('tiny').url, revision: '0'.repeat(40) },
      ]),
    )
    const labels = [{ query: 'where are settings loaded', relevant: ['pkg/core.py'], category: 'semantic' }]
    for (const name of ['tiny', 'absent', 'old'])
      scene.write(`code/annotations/${name}.json`, JSON.stringify(labels))
    const ran = await scene.run('bench', 'code', '--fast', '--out', 'out', '--mirrors', 'clones')
    expect(ran.code).toBe(0)
    expect(ran.stdout).toContain('1 of 3 questions')
    expect(ran.stdout).toContain('left out: 1 × --mirrors has no clone of ada/absent')
    expect(ran.stdout).toContain(
      'left out: 1 × the clone of https://example.org/ada/tiny.git does not hold 000',
    )
    expect(jsonl(scene, 'out/results.jsonl')[0]).toMatchObject({ n: 1, metrics: { 'nDCG@10': 1 } })

    const without = await scene.run('bench', 'code', '--fast', '--out', 'nothing')
    expect(without.code).toBe(1)
    expect(without.stdout).toContain('Nothing was measured.')
    expect(without.stdout).toContain('--mirrors was not given')
    expectWellFormed(readFileSync(join(scene.repo, 'nothing/plot.svg'), 'utf8'))
  })

  story('names what is wrong with the data, before anything is measured', async scene => {
    const folder = beir(scene)
    const run = (...args: string[]) => scene.run('bench', ...args, '--fast', '--out', 'out')
    scene.write('tiny/queries.jsonl', `${lines([QUERIES[0]])}\n{"_id":"q2","text":7}\n`)
    const damaged = await run(folder)
    expect(damaged.code).toBe(2)
    expect(damaged.stderr).toMatch(/tiny\/queries\.jsonl:3: text: .*expected string/)
    scene.write('tiny/corpus.jsonl', '{"_id":"x","text":"y"}\n{"_id": \n')
    expect((await run(folder)).stderr).toContain('tiny/corpus.jsonl:2 is not JSON')
    beir(scene)
    scene.write('tiny/qrels/dev.tsv', 'query-id\tcorpus-id\tscore\nq1 sort 1\n')
    expect((await run(folder)).stderr).toContain('qrels/dev.tsv:2: it must be query-id, corpus-id and score')
    scene.write('tiny/qrels/train.tsv', 'query-id\tcorpus-id\tscore\n')
    const splits = await run(folder)
    expect(splits.stderr).toContain('there are dev, train')
    expect(splits.stderr).toContain('hint: --split dev')

    scene.write('cut.json', `[\n${JSON.stringify(haystack('q1', 't', 'q', [1])).slice(0, -30)}`)
    expect((await run('cut.json')).stderr).toContain('cut.json:2 begins a question that has no end')
    scene.write('object.json', '{"a": 1}')
    expect((await run('object.json')).stderr).toContain('object.json:1 must begin with [')
    scene.write('odd.json', '[\n{"question_id": "q1"}]')
    expect((await run('odd.json')).stderr).toContain('odd.json:2: question: ')

    scene.write('unknown/readme.txt', 'nothing')
    const unknown = await run('unknown')
    expect(unknown).toMatchObject({ code: 2 })
    expect(unknown.stderr).toContain('unknown is no labelled set')
    expect(unknown.stderr).toContain('corpus.jsonl, queries.jsonl and qrels/*.tsv')
    expect((await run('nowhere')).stderr).toContain('There is nothing at')
    expect((await run('.')).stderr).toMatch(/hint: quarry bench .*tiny/)
    expect((await run()).stderr).toContain('No labelled data was named')
    expect(said(await run(folder, '--strategies', 'guess'))).toContain('Allowed choices are paraphrase')
    beir(scene)
    expect(said(await run(folder, '--replay', 'nowhere.jsonl', '--split', 'dev'))).toMatch(
      /There is no .*nowhere\.jsonl/,
    )
    beir(scene)
    const own = await run(folder, '--split', 'dev', '--home', scene.home)
    expect(own).toMatchObject({ code: 2, stderr: expect.stringContaining('your own indexes and notes') })
    expect(existsSync(join(scene.repo, 'out'))).toBe(false)
  })
})
