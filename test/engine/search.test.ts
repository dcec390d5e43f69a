import { afterEach, describe, expect, it } from 'vitest'
import { openQuarry } from '../../dist/index.js'
import { type Scene, scene } from './scene.js'

let current: Scene
const begin = (...args: Parameters<typeof scene>): Scene => {
  current = scene(...args)
  return current
}
afterEach(() => current.end())

/** Every look at it comes a second after the one before: no two questions come in a row. */
const slowClock = () => {
  let time = Date.now()
  return () => {
    time += 1_000
    return time
  }
}

const paths = (answer: { hits: readonly { path: string }[] }) => answer.hits.map(hit => hit.path)

describe('what a program asks wrongly', () => {
  it('is refused by name, before anything is done', async () => {
    const place = begin()
    const refused = async (work: () => Promise<unknown>, message: RegExp) =>
      expect(work()).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringMatching(message) })
    // biome-ignore lint/suspicious/noExplicitAny: types do not hold at run time
    const any = (value: unknown): any => value
    await refused(() => openQuarry(any({ root: 5 })), /^openQuarry: root must be a string, not 5/)
    await refused(() => openQuarry(any({ rot: '.' })), /^openQuarry: there is no option "rot"/)
    await refused(() => openQuarry(any(null)), /options must be an object/)
    const quarry = await place.open()
    await refused(() => quarry.search(any(5)), /^search: the question must be a string, not 5/)
    await refused(() => quarry.search('x', any({ limt: 5 })), /there is no option "limt"/)
    await refused(() => quarry.search('x', JSON.parse('{"__proto__": 1}')), /no option "__proto__"/)
    await refused(() => quarry.search('x', any({ limit: 'x' })), /limit must be a whole number/)
    await refused(
      () => quarry.ask('x', { filter: { kinds: any(['x']) } }),
      /filter: kinds must be .*code or hunk/,
    )
    await refused(() => quarry.find('x', { filter: any({ author: 5 }) }), /filter: author must be a string/)
    await refused(() => quarry.recall('x', any({ tags: 'one' })), /recall: tags must be a list/)
    await refused(() => quarry.similar(any(5)), /similar: the options must be an object/)
    await refused(() => quarry.explain(any({ path: 5 })), /explain: path must be a string/)
    await refused(() => quarry.index(any({ stage: 'x' })), /index: stage must be first or full/)
    expect((await quarry.status()).index).toBeNull()
  })
})

describe('search', () => {
  it('indexes a directory it has never seen and answers', async () => {
    const quarry = await begin().open()
    const answer = await quarry.search('exponential sleep between attempts when the response status is 429')
    expect(answer.hits[0]).toMatchObject({
      path: 'src/http/retry.ts',
      kind: 'code',
      language: 'typescript',
      startLine: 1,
      symbol: 'retryWithBackoff',
    })
    expect(answer.index).toMatchObject({ documents: 5, indexedAt: expect.any(String) })
  })

  it('says what it was made from while vectors are missing', async () => {
    const quarry = await begin().open()
    const { warnings } = await quarry.search('busy server')
    expect(warnings).toContainEqual({
      code: 'VECTORS_PARTIAL',
      message: 'vectors: 0 % embedded',
      hint: 'quarry index --wait',
    })
  })

  it('finds a definition by its name before its uses and its tests', async () => {
    const quarry = await begin().open()
    expect(paths(await quarry.search('retryWithBackoff'))[0]).toBe('src/http/retry.ts')
    expect(paths(await quarry.search('evict_oldest'))[0]).toBe('src/store/cache.py')
    expect(paths(await quarry.search('HttpSession.rememberCookies'))[0]).toBe('src/http/session.ts')
  })

  it('finds the method of the class that was named, not its namesakes', async () => {
    const body = (what: string) =>
      Array.from({ length: 40 }, (_, line) => `        self.${what}_${line} = request`).join('\n')
    const quarry = await begin({
      'adapters.py': `class BaseAdapter:\n    def send(self, request):\n        """Sends."""\n${body('base')}\n\n\nclass HTTPAdapter(BaseAdapter):\n    def build(self, request):\n${body('built')}\n\n    def send(self, request, stream=False, timeout=None, verify=True):\n        """Sends a prepared request over a connection that is kept."""\n${body('sent')}\n`,
      'sessions.py': `class Session:\n    def send(self, request):\n${body('session')}\n`,
    }).open()
    const first = async (question: string) => (await quarry.search(question)).hits[0]
    expect(await first('HTTPAdapter.send')).toMatchObject({ symbol: 'HTTPAdapter.send' })
    expect(await first('Session::send')).toMatchObject({ path: 'sessions.py' })
  })

  it('finds a function by each of the names that are assigned to it', async () => {
    const member = (name: string) =>
      `res.${name} = function ${name}() {\n${Array.from({ length: 62 }, (_, line) => `  this.line${line}('${name}')`).join('\n')}\n}\n`
    const quarry = await begin({
      'lib/response.js': `var res = {}\n\n${member('links')}\n/**\n * Sets a field.\n */\n\nres.set =\nres.header = function header(field) {\n  return this\n}\n\n${member('vary')}`,
      'lib/application.js': `var app = {}\n\n${member('render').replaceAll('res.', 'app.')}\napp.set = function set(setting) {\n  return this\n}\n`,
      'lib/request.js': `${member('accepts')}\ndefineGetter(req, 'protocol', function () {\n  return 'https'\n})\n`,
    }).open()
    const first = async (question: string) => (await quarry.search(question, { explain: true })).hits[0]
    for (const question of ['res.set', 'res.header']) {
      const hit = await first(question)
      expect(hit).toMatchObject({ path: 'lib/response.js', symbol: question })
      expect(hit?.text).toContain('Sets a field')
      expect(hit?.explain?.some(({ stage }) => stage === 'symbol')).toBe(true)
    }
    expect(await first('req.protocol')).toMatchObject({ path: 'lib/request.js' })
  })

  it('shows of a file the chunk that says it, not the one with the likest name', async () => {
    const lines = (what: string) =>
      Array.from({ length: 30 }, (_, line) => `        self.${what}.append(response_${line})`).join('\n')
    const quarry = await begin({
      'sessions.py': [
        'class RedirectMixin:',
        `    def redirect(self, request, response):\n${lines('history')}`,
        `    def rebuild_auth(self, request, response):\n        headers = request.headers\n        if "Authorization" in headers and self.strips(response):\n            # On a redirect to another host the Authorization header is removed.\n            del headers["Authorization"]\n${lines('auth')}`,
        `    def rebuild_method(self, request, response):\n${lines('methods')}`,
      ].join('\n\n'),
    }).open()
    const { hits } = await quarry.search('where is the Authorization header removed on redirect')
    expect(hits[0]).toMatchObject({ symbol: 'RedirectMixin.rebuild_auth' })
  })

  it('meets compound identifiers by their words, in either spelling', async () => {
    const quarry = await begin({
      'a.c': 'int thread_pool_size(void) { return 4; }\n',
      'b.c': 'int poolside(void) { return 1; }\n',
    }).open()
    expect(paths(await quarry.search('size of the thread pool'))[0]).toBe('a.c')
    expect(paths(await quarry.search('threadPoolSize'))[0]).toBe('a.c')
  })

  it('writes what every stage did into the ledger, and the last line is the score', async () => {
    const quarry = await begin().open({ overrides: { profile: 'classic', 'rerank.enabled': false } })
    const { hits } = await quarry.search('retry when the server is busy', { explain: true })
    const stages = hits[0]!.explain!.map(line => line.stage)
    expect(stages).toEqual(expect.arrayContaining(['vector', 'text', 'fusion', 'recency']))
    for (const hit of hits) expect(hit.explain!.at(-1)!.score).toBeCloseTo(hit.score, 5)
    const best = await (await current.open()).search('retry when the server is busy', { explain: true })
    expect(best.hits[0]!.explain!.map(line => line.stage)).toContain('priors')
  })

  it('caps the chunks of one file and refills from others', async () => {
    const long = Array.from(
      { length: 12 },
      (_, n) => `export function parseToken${n}(input: string) {\n${'  // parse the token\n'.repeat(60)}}\n`,
    ).join('\n')
    const quarry = await begin({
      'src/tokens.ts': long,
      'src/other.ts': 'export const parseToken = 1 // parse the token\n',
    }).open()
    const counts = (answer: { hits: readonly { path: string }[] }) =>
      paths(answer).filter(path => path === 'src/tokens.ts').length
    expect(counts(await quarry.search('parse the token'))).toBe(3)
    expect(paths(await quarry.search('parse the token'))).toContain('src/other.ts')
    const uncapped = await current.open({ overrides: { 'diversity.maxPerFile': 0 } })
    expect(counts(await uncapped.search('parse the token'))).toBeGreaterThan(3)
    const single = await current.open({ overrides: { 'diversity.maxPerFile': 1 } })
    expect(counts(await single.search('parse the token'))).toBe(1)
  })

  it('reaches by hops what the words of the question do not', async () => {
    const files: Record<string, string> = {}
    for (let n = 0; n < 30; n++)
      files[`filler/${n}.py`] = `def filler_${n}():\n    return "weather in city ${n}"\n`
    files['bird.py'] =
      'def feed_parrot(parrot):\n    """Gives seeds to the hungry parrot."""\n    parrot.eat("seeds")\n'
    files['bird_two.py'] =
      'def feed_canary(canary):\n    """Gives seeds to the hungry canary."""\n    canary.eat("seeds")\n'
    const overrides = { pool: 1, 'lanes.top': 1, limit: 10 }
    const quarry = await begin(files).open({ overrides: { ...overrides, 'multiHop.enabled': false } })
    expect(paths(await quarry.search('feed_parrot', { limit: 1 }))).toEqual(['bird.py'])
    const hopping = await current.open({ overrides: { ...overrides, 'multiHop.enabled': true } })
    const answer = await hopping.search('feed_parrot', { explain: true })
    expect(paths(answer)).toContain('bird_two.py')
    const hop = answer.hits
      .find(hit => hit.path === 'bird_two.py')!
      .explain!.find(line => line.stage === 'hop')
    expect(hop?.why).toMatch(/hop 2, like bird\.py:1/)
  })

  it('filters inside the lanes', async () => {
    const quarry = await begin().open()
    expect(paths(await quarry.search('retry', { filter: { languages: ['markdown'] } }))).toEqual([
      'README.md',
    ])
    expect(paths(await quarry.search('retry', { filter: { paths: ['test/**'] } }))).toEqual([
      'test/retry.test.ts',
    ])
    expect(paths(await quarry.search('retry', { filter: { paths: ['!test/**', '*.ts'] } }))).not.toContain(
      'test/retry.test.ts',
    )
    expect(paths(await quarry.search('retry', { filter: { kinds: ['note'] } }))).toEqual([])
  })

  it('takes in what changed before it answers, and forgets what is gone', async () => {
    const quarry = await begin().open({ now: slowClock() })
    await quarry.search('anything')
    current.write('src/zebra.ts', 'export const paintZebra = () => "stripes"\n')
    expect(paths(await quarry.search('paintZebra'))[0]).toBe('src/zebra.ts')
    current.write('src/zebra.ts', 'export const paintGiraffe = () => "spots"\n')
    expect((await quarry.search('paintGiraffe')).hits[0]!.text).toContain('spots')
    current.remove('src/zebra.ts')
    expect(paths(await quarry.search('paintGiraffe'))).not.toContain('src/zebra.ts')
  })

  it('looks at the tree once for questions that come in a row', async () => {
    let time = Date.now()
    const quarry = await begin().open({ now: () => time })
    const finds = async (path: string, word: string) => paths(await quarry.search(word)).includes(path)
    await quarry.search('anything')
    current.write('src/zebra.ts', 'export const paintZebra = () => "stripes"\n')
    expect(await finds('src/zebra.ts', 'paintZebra')).toBe(false)
    time += 999
    expect(await finds('src/zebra.ts', 'paintZebra')).toBe(false)
    time += 1
    expect(await finds('src/zebra.ts', 'paintZebra')).toBe(true)

    current.write('src/okapi.ts', 'export const paintOkapi = () => "legs"\n')
    // What another program did to the clock must not make a look last for ever.
    time -= 3_600_000
    expect(await finds('src/okapi.ts', 'paintOkapi')).toBe(true)

    await quarry.purge()
    expect(await finds('src/okapi.ts', 'paintOkapi')).toBe(true)
  })

  it('says again what the last look found, until an index run has dealt with it', async () => {
    let time = Date.now()
    const quarry = await begin().open({ now: () => time })
    await quarry.search('anything')
    for (let n = 0; n < 120; n++) current.write(`many/file${n}.ts`, `export const value${n} = ${n}\n`)
    time += 2_000
    const codes = async () => (await quarry.search('value7')).warnings.map(({ code }) => code)
    expect(await codes()).toContain('STALE')
    expect(await codes()).toContain('STALE')
    time += 1
    await quarry.index({ stage: 'first' })
    expect(await codes()).not.toContain('STALE')
    expect(paths(await quarry.search('value7'))[0]).toBe('many/file7.ts')
  })

  it('answers from the index as it is when asked to', async () => {
    const quarry = await begin().open()
    await quarry.index({ stage: 'first' })
    current.write('src/zebra.ts', 'export const paintZebra = () => "stripes"\n')
    expect(paths(await quarry.search('paintZebra', { refresh: 'never' }))).not.toContain('src/zebra.ts')
  })

  it.each([
    '',
    '   ',
    '🦊',
    '"',
    'AND OR NOT NEAR(',
    'a* ^b {c} : d',
    '\0',
    "'; DROP TABLE chunks; --",
    'x'.repeat(1_000_000),
  ])('survives the question %#', async question => {
    const quarry = await begin().open()
    const answer = await quarry.search(question)
    expect(answer.query).toBe(question)
    expect(Array.isArray(answer.hits)).toBe(true)
  })

  it.each([0, -1, 1.5, Number.NaN, 1e9])('refuses a limit of %s by name', async limit => {
    const quarry = await begin().open()
    await expect(quarry.search('retry', { limit })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringContaining('limit'),
    })
  })
})

describe('similar', () => {
  it('finds chunks like the one at a line, without that one', async () => {
    const quarry = await begin().open()
    const answer = await quarry.similar({ path: 'src/http/retry.ts', line: 3 })
    expect(paths(answer)).not.toContain('src/http/retry.ts')
    expect(answer.hits.length).toBeGreaterThan(0)
    const byId = await quarry.similar({ id: answer.hits[0]!.id })
    expect(byId.hits.map(hit => hit.id)).not.toContain(answer.hits[0]!.id)
  })

  it('says what is wrong with a place that is not there', async () => {
    const quarry = await begin().open()
    await expect(quarry.similar({ path: 'nowhere.ts', line: 1 })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(quarry.similar({ path: 'README.md', line: 999 })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
    await expect(quarry.similar({ id: 'feedbeef' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })
})
