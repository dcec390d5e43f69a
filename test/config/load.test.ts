/** Settings from all their sources: who wins, who is told what, and what a stranger's file may not do. */

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadSettings } from '../../dist/config/load.js'
import { profiles } from '../../dist/config/profiles.js'
import { doors, settingKeys, valueAt } from '../../dist/config/settings.js'

interface World {
  readonly user?: string | Uint8Array
  readonly project?: string | Uint8Array
  readonly environment?: Record<string, string>
  readonly overrides?: Record<string, unknown>
}

const places = () => {
  const home = mkdtempSync(join(tmpdir(), 'quarry-config-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const directories = { data: join(home, 'data'), cache: join(home, 'cache'), config: join(home, 'config') }
  const root = join(home, 'repo')
  mkdirSync(root)
  mkdirSync(directories.config)
  return {
    root,
    directories,
    user: join(directories.config, 'config.toml'),
    project: join(root, '.quarry.toml'),
  }
}

const load = (world: World, at = places()) => {
  if (world.user !== undefined) writeFileSync(at.user, world.user)
  if (world.project !== undefined) writeFileSync(at.project, world.project)
  const { root, directories } = at
  return loadSettings({
    root,
    directories,
    environment: world.environment ?? {},
    overrides: world.overrides ?? {},
  })
}

const refusal = async (world: World, at = places()) =>
  load(world, at).then(
    () => ({ code: 'accepted', message: '', hint: '' }),
    error => error as { code: string; message: string; hint: string },
  )

describe('defaults', () => {
  test('are the profile best, and say so', async () => {
    const { settings, origins, warnings } = await load({})
    expect(settings).toEqual(profiles.best)
    expect(warnings).toEqual([])
    expect(Object.keys(origins)).toEqual(settingKeys)
    expect(origins).toMatchObject({ limit: 'default', profile: 'default', 'priors.enabled': 'profile' })
  })

  test('of the profile classic are those of the specification', async () => {
    const { settings, origins } = await load({ overrides: { profile: 'classic' } })
    expect(settings).toMatchObject({
      lanes: { top: 100 },
      rrfK: 60,
      pool: 50,
      multiHop: { enabled: true, hops: 2, expansion: 0.3, initialMultiplier: 2 },
      priors: { enabled: false },
      rerank: { enabled: true, model: 'bge-reranker-base', weight: 1 },
      recency: { weight: 0.05, decayDays: 90 },
      diversity: { maxPerFile: 3 },
      multiQuery: { enabled: false, variations: 3, includeOriginal: true },
    })
    expect(origins).toMatchObject({ profile: 'flag --profile', pool: 'profile' })
  })

  test('every default passes its own check, and cannot be changed afterwards', async () => {
    for (const profile of [profiles.best, profiles.classic]) {
      const overrides = Object.fromEntries(settingKeys.map(key => [key, valueAt(profile, key)]))
      expect((await load({ overrides })).settings).toEqual(profile)
    }
    const { settings } = await load({})
    expect(() => Object.assign(settings.index, { workers: 3 })).toThrow(TypeError)
    expect(() => (settings.index.ignore as string[]).push('x')).toThrow(TypeError)
  })

  test('with nothing set, no library is loaded', () => {
    const module = new URL('../../dist/config/load.js', import.meta.url).href
    const loaded = (overrides: object): string => {
      const script = `
        import { loadSettings } from ${JSON.stringify(module)}
        const directories = { config: '/nonexistent' }
        await loadSettings({ root: '/nonexistent', directories, environment: {}, overrides: ${JSON.stringify(overrides)} })`
      const env = { ...process.env, NODE_DEBUG: 'esm' }
      return spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' })
        .stderr
    }
    expect(loaded({})).not.toMatch(/node_modules\/(?:zod|smol-toml)/)
    expect(loaded({ limit: 3 })).toMatch(/node_modules\/zod/)
  })
})

describe('precedence', () => {
  test('flags > environment > project file > user file > defaults', async () => {
    const world: World = {
      user: 'limit = 11\npool = 11\nrrfK = 11\n[lanes]\ntop = 11\n',
      project: 'limit = 12\npool = 12\nrrfK = 12\n',
      environment: { QUARRY_LIMIT: '13', QUARRY_POOL: '13' },
      overrides: { limit: 14 },
    }
    const at = places()
    const { settings, origins } = await load(world, at)
    expect(settings).toMatchObject({ limit: 14, pool: 13, rrfK: 12, lanes: { top: 11 } })
    expect(origins).toMatchObject({
      limit: 'flag --limit',
      pool: 'environment QUARRY_POOL',
      rrfK: `project file ${at.project}`,
      'lanes.top': `user file ${at.user}`,
      offline: 'default',
    })
  })

  test('a chosen value is kept when another profile is chosen', async () => {
    const { settings, origins } = await load({ user: 'profile = "classic"\npool = 70\n' })
    expect(settings).toMatchObject({ profile: 'classic', pool: 70, rerank: { weight: 1 } })
    expect(origins['multiHop.enabled']).toBe('profile')
  })

  test('every setting with a variable can be set by it', async () => {
    const samples: Record<string, string> = {
      profile: 'classic',
      'rerank.model': 'x',
      'multiQuery.strategies': 'entity, decompose',
      'expander.kind': 'anthropic',
      'expander.baseUrl': 'http://127.0.0.1:11434/v1',
      'expander.model': 'qwen2.5:3b',
      'expander.timeoutMs': '700',
      'expander.privateHosts': 'ollama.lan',
      'embedding.models': 'a,b',
      'index.ignore': '*.log, !a',
      'index.include': 'vendor/ours/**',
      'models.hub': 'https://h.example/',
      'models.registry': 'http://r.example',
      'embedding.maxTokens': '64',
      'index.chunkCharacters': '900',
      'index.workers': '2',
      'embedding.threads': '2',
    } // prettier-ignore
    const environment = Object.fromEntries(
      settingKeys.flatMap(key => {
        const { variable } = doors[key]
        const isBoolean = /enabled$|includeOriginal|offline|cache$/.test(key)
        return variable ? [[variable, samples[key] ?? (isBoolean ? 'on' : '1')]] : []
      }),
    )
    const { settings, origins } = await load({ environment })
    for (const key of settingKeys)
      if (doors[key].variable) expect(origins[key]).toBe(`environment ${doors[key].variable}`)
    expect(settings.multiHop).toEqual({ enabled: true, hops: 1, expansion: 1, initialMultiplier: 1 })
    expect(settings.multiQuery.strategies).toEqual(['entity', 'decompose'])
    expect(settings.index.ignore).toEqual(['*.log', '!a'])
    expect(settings.offline).toBe(true)
  })
})

describe('a project file is a stranger', () => {
  test('and may not choose models, addresses, network or machine', async () => {
    const project = `
      offline = false
      limit = 5
      [models]
      hub = "https://evil.example/"
      registry = "https://evil.example/"
      paths = { "bge-small-en-v1.5" = "/etc" }
      [embedding]
      models = ["evil"]
      threads = 64
      [rerank]
      model = "evil"
      weight = 0.5
      [multiQuery]
      enabled = true
      [index]
      workers = 64
      ignore = ["docs/"]
      include = ["vendor/ours/"]
      maxFileBytes = 2000000
    `
    const { settings, warnings, origins } = await load({ project, user: 'offline = true' })
    expect(settings).toMatchObject({
      offline: true,
      limit: 5,
      models: { hub: '', registry: '', paths: {} },
      embedding: profiles.best.embedding,
      rerank: { model: profiles.best.rerank.model, weight: 0.5 },
      multiQuery: { enabled: false },
      index: { workers: 0, ignore: ['docs/'], include: ['vendor/ours/'], maxFileBytes: 2_000_000 },
    })
    expect(warnings).toHaveLength(9)
    for (const { code, message } of warnings) {
      expect(code).toBe('SETTING_REFUSED')
      expect(message).toMatch(
        /\.quarry\.toml:\d+: a project may not set (?:offline|models|embedding|rerank|multiQuery|index)/,
      )
    }
    expect(origins['models.hub']).toBe('default')
  })

  test('and the user may set all of them', async () => {
    const user =
      'offline = true\n[models]\nhub = "https://mirror.example/"\n[models.paths]\n"bge-small-en-v1.5" = "/models/bge"\n'
    expect((await load({ user })).settings).toMatchObject({
      offline: true,
      models: { hub: 'https://mirror.example/', paths: { 'bge-small-en-v1.5': '/models/bge' } },
    })
  })

  test('and must be a plain file', async () => {
    const at = places()
    writeFileSync(at.user, 'limit = 3')
    symlinkSync(at.user, at.project)
    expect(await refusal({}, at)).toMatchObject({
      code: 'BAD_CONFIG',
      message: expect.stringContaining('is a link'),
    })
    rmSync(at.project)
    spawnSync('sh', ['-c', 'mkfifo "$0"', at.project])
    expect(await refusal({}, at)).toMatchObject({
      code: 'BAD_CONFIG',
      message: expect.stringContaining('is not a file'),
    })
  })

  test('the file of the user may be a link, as dotfile managers make them', async () => {
    const at = places()
    writeFileSync(join(at.root, 'mine.toml'), 'limit = 3')
    symlinkSync(join(at.root, 'mine.toml'), at.user)
    expect((await load({}, at)).settings.limit).toBe(3)
  })
})

describe('mistakes', () => {
  test.each([
    ['two equals signs', 'limit = 1\nrrfK = = 2\n', ':2:', ''],
    ['YAML', 'limit: 10\n', ':1:', 'write key = value'],
    ['JSON', '{\n  "limit": 10\n}\n', ':1:', 'not JSON'],
    ['bare text', 'profile = classic\n', ':1:', 'between quotes'],
    ['yes for true', '[priors]\nenabled = yes\n', ':2:', 'true or false'],
    ['the same key twice', 'limit = 1\nlimit = 2\n', ':2:', ''],
    ['control characters', 'limit = "\u0007"\n', ':1:', ''],
  ])('%s in a file: the line, and what to write', async (_, user, line, advice) => {
    const { code, message, hint } = await refusal({ user })
    expect(code).toBe('BAD_CONFIG')
    expect(message).toContain(`config.toml${line}`)
    expect(message).toContain(advice)
    expect(hint).toMatch(/\S/)
  })

  test('a key of a service is told where keys go, and is not shown', async () => {
    for (const name of ['key', 'api_key', 'apiKey', 'token']) {
      const { warnings } = await load({ user: `[expander]\n${name} = "k9vTq2"\n` })
      expect(warnings).toMatchObject([{ hint: expect.stringContaining('QUARRY_EXPANDER_KEY') }])
      expect(JSON.stringify(warnings)).not.toContain('k9vTq2')
    }
  })

  test('an unknown key is named with the nearest known one', async () => {
    const user = 'limt = 3\n[multiHop]\nhop = 3\n[nonsense]\na = 1\nb = 2\n'
    const { settings, warnings } = await load({ user })
    expect(settings.limit).toBe(10)
    expect(warnings.map(({ message }) => message.replace(/^.*config\.toml/, ''))).toEqual([
      ':1: there is no setting "limt"; did you mean limit?',
      ':3: there is no setting "multiHop.hop"; did you mean multiHop.hops?',
      ':4: there is no setting "nonsense"',
    ])
  })

  test.each([
    ['limit = "ten"', 'limit must be a whole number from 1 to 1000, not "ten"'],
    ['limit = 0', 'limit must be a whole number from 1 to 1000, not 0'],
    ['limit = 1.5', 'limit must be'],
    ['limit = nan', 'limit must be'],
    ['rrfK = inf', 'rrfK must be a number'],
    ['multiHop = 3', 'there is no setting'],
    ['index.ignore = "*.log"', 'index.ignore must be a list of texts, not "*.log"'],
    ['index.ignore = [1]', 'index.ignore must be'],
    ['profile = "fast"', 'profile must be one of best, classic, not "fast"'],
    ['multiHop.enabled = 1', 'multiHop.enabled must be true or false, not 1'],
    ['models.hub = "file:///etc"', 'models.hub must be an address'],
    ['models.paths = { "../../x" = "/etc" }', 'models.paths must be'],
    ['multiQuery.strategies = ["guess"]', 'multiQuery.strategies must be a list of paraphrase'],
    ['limit = 1979-05-27', 'limit must be'],
  ])('%s: the key and what it must be', async (line, expected) => {
    const world: World = { user: `# mine\n\n${line}\n` }
    const { warnings } = await load(world).catch(({ code, message }) => {
      expect(code).toBe('BAD_CONFIG')
      return { warnings: [{ message }] }
    })
    expect(warnings[0]!.message).toContain(expected)
    expect(warnings[0]!.message).toContain('config.toml:3:')
  })

  test('a wrong variable names the variable', async () => {
    expect(await refusal({ environment: { QUARRY_LIMIT: 'ten' } })).toMatchObject({
      code: 'BAD_CONFIG',
      message: 'QUARRY_LIMIT: limit must be a whole number from 1 to 1000, not "ten"',
    })
    expect(await refusal({ environment: { QUARRY_OFFLINE: 'perhaps' } })).toMatchObject({
      code: 'BAD_CONFIG',
      message: 'QUARRY_OFFLINE: it must be true or false, not "perhaps"',
    })
    expect((await load({ environment: { QUARRY_LIMIT: '' } })).settings.limit).toBe(10)
    const { warnings } = await load({
      environment: { QUARRY_LIMITS: '3', QUARRY_SOMETHING_ELSE: '1', QUARRY_DEBUG: '1' },
    })
    expect(warnings).toMatchObject([
      { code: 'UNKNOWN_SETTING', message: expect.stringContaining('QUARRY_LIMIT does') },
    ])
  })

  test('a wrong flag is bad input', async () => {
    expect(await refusal({ overrides: { 'diversity.maxPerFile': -1 } })).toMatchObject({
      code: 'BAD_INPUT',
      message: '--max-per-file: diversity.maxPerFile must be a whole number from 0 to 1000, not -1',
    })
    expect(await refusal({ overrides: { nothing: 1 } })).toMatchObject({ code: 'BAD_INPUT' })
    expect((await load({ overrides: { limit: undefined } })).settings.limit).toBe(10)
  })

  test('a large, a binary and an unreadable file', async () => {
    expect(await refusal({ project: `# ${'x'.repeat(70_000)}\n` })).toMatchObject({
      code: 'BAD_CONFIG',
      message: expect.stringContaining('is larger than 65536 bytes'),
    })
    expect(await refusal({ project: new Uint8Array([0, 255, 1, 254]) })).toMatchObject({ code: 'BAD_CONFIG' })
    const at = places()
    mkdirSync(at.project)
    expect(await refusal({}, at)).toMatchObject({
      code: 'BAD_CONFIG',
      message: expect.stringContaining('is not a file'),
    })

    // Root may read everything, so the file is read as nobody.
    const locked = places()
    writeFileSync(locked.user, 'limit = 3')
    chmodSync(locked.user, 0)
    for (const path of [join(locked.root, '..'), locked.root, locked.directories.config])
      chmodSync(path, 0o755)
    const module = new URL('../../dist/config/load.js', import.meta.url).href
    const script = `
      import { loadSettings } from ${JSON.stringify(module)}
      if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534) }
      const { root, directories } = ${JSON.stringify(locked)}
      await loadSettings({ root, directories, environment: {}, overrides: {} }).catch(({ code, message }) => console.log(code, message))`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script]).toString()
    expect(output).toMatch(/^BAD_CONFIG .*config\.toml cannot be read \(EACCES\)/)
  })

  test('keys that would reach a prototype are unknown keys', async () => {
    const user = '__proto__ = 1\nconstructor = 2\n[multiHop]\n__proto__ = { polluted = true }\n'
    const { warnings } = await load({ user, overrides: JSON.parse('{"limit": 3}') })
    expect(warnings).toHaveLength(3)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(await refusal({ overrides: JSON.parse('{"__proto__": 3}') })).toMatchObject({ code: 'BAD_INPUT' })
  })

  test('whatever stands in the file, the answer is settings or BAD_CONFIG', async () => {
    const at = places()
    const word = fc.constantFrom(
      'limit',
      'multiHop',
      '.hops',
      '__proto__',
      ' = ',
      '"x"',
      '3',
      '-1',
      'true',
      '[',
      ']',
      '{',
      '}',
      '\n',
      '#',
      ',',
      '1e999',
      '"""',
      "'",
      '\\u0000',
      '\ud800',
      'models',
      '.paths',
      '2024-01-01',
    ) // prettier-ignore
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.array(word, { maxLength: 12 }).map(parts => parts.join('')),
          fc.string(),
        ),
        async text => {
          const { code } = await refusal({ project: text }, at)
          expect(['accepted', 'BAD_CONFIG']).toContain(code)
        },
      ),
      { numRuns: 1500 },
    )
  })
})

test('the table in docs/configuration.md is true', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
  const table = page.split('## ').find(section => section.startsWith('All settings'))!
  const rows = new Map(
    table.split('\n').flatMap(line => {
      const key = /^\| `([\w.]+)` \|/.exec(line)?.[1]
      return key ? [[key, line]] : []
    }),
  )
  expect([...rows.keys()].sort()).toEqual([...settingKeys].sort())
  for (const key of settingKeys) {
    const row = rows.get(key)!
    const { variable, flag, forStrangers } = doors[key]
    if (variable) expect(row).toContain(`\`${variable}\``)
    if (flag) expect(row).toContain(`\`${flag}`)
    expect(row.trimEnd().endsWith(forStrangers ? '| yes |' : '| no |')).toBe(true)
    const [best, classic] = [profiles.best, profiles.classic].map(profile =>
      JSON.stringify(valueAt(profile, key)),
    )
    if (key === 'profile') continue
    expect(row).toContain(best === classic ? `| \`${best}\` |` : `| \`${best}\` (classic: \`${classic}\`) |`)
  }
})
