/** Registering with clients: one entry comes and goes, every other byte stays. */

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { putJson, takeJson } from '../../dist/mcp/install/edit-json.js'
import { putToml, takeToml } from '../../dist/mcp/install/edit-toml.js'
import { readJson } from '../../dist/mcp/install/read-json.js'
import { temporary } from './agent.js'

const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.js')
const PATH = ['mcpServers', 'quarry'] as const
const ENTRY = { command: 'quarry', args: ['mcp'] }

describe('an entry in JSON', () => {
  it('keeps comments, commas and indentation', () => {
    const text = `// mine
{
\t"theme": "dark", // not light
\t/* servers */
\t"mcpServers": {
\t\t"other": { "command": "x" }, // keep, this
\t},
}
`
    const put = putJson(text, PATH, ENTRY)
    expect(put).toBe(
      text.replace(
        '// keep, this\n',
        '// keep, this\n\t\t"quarry": {\n\t\t\t"command": "quarry",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n',
      ),
    )
    expect(putJson(put, PATH, ENTRY)).toBe(put)
    const changed = putJson(put, PATH, { command: 'y' })
    expect(readJson(changed).value).toMatchObject({ theme: 'dark', mcpServers: { quarry: { command: 'y' } } })
    const taken = takeJson(changed, PATH)!
    expect(taken).toContain('// keep, this')
    expect(readJson(taken).value).toEqual(readJson(text).value)
  })

  it('makes a file, and leaves none behind that it made', () => {
    const made = putJson('', PATH, ENTRY)
    expect(JSON.parse(made)).toEqual({ mcpServers: { quarry: ENTRY } })
    expect(takeJson(made, PATH)).toBeNull()
    expect(takeJson(putJson('{}\n', PATH, ENTRY), PATH)).toBeNull()
    expect(takeJson('// why\n{}', PATH)).toBe('// why\n{}')
    expect(takeJson(putJson('{\n  // why\n}\n', PATH, ENTRY), PATH)).toContain('// why')
  })

  it('comes and goes without a trace, whatever else is there', () => {
    const key = fc.string().filter(word => word !== 'mcpServers' && word !== '__proto__')
    const others = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, noNullPrototype: true })
    const layout = fc.constantFrom('  ', '    ', '\t')
    const end = fc.constantFrom('\n', '\r\n')
    fc.assert(
      fc.property(others, fc.boolean(), layout, end, (rest, isThere, indent, newline) => {
        const value = isThere ? { ...rest, mcpServers: { other: { command: 'x' } } } : rest
        const text = `${JSON.stringify(value, null, indent).replaceAll('\n', newline)}${newline}`
        const put = putJson(text, PATH, ENTRY)
        const servers = isThere ? { other: { command: 'x' }, quarry: ENTRY } : { quarry: ENTRY }
        expect(JSON.parse(put)).toEqual(JSON.parse(JSON.stringify({ ...value, mcpServers: servers })))
        expect(takeJson(put, PATH)).toBe(text)
      }),
      { numRuns: 500, seed: 11 },
    )
  })

  it.each(['[]', '"x"', '{"mcpServers": 3}', '{', '{"a" 1}', '{"a": 1} x', "{'a': 1}", '['.repeat(500)])(
    'is refused in %s',
    text => expect(() => putJson(text, PATH, ENTRY)).toThrow(/not an object|cannot be read/),
  )
})

describe('an entry in TOML', () => {
  const path = ['mcp_servers', 'quarry'] as const

  it('comes, changes and goes', () => {
    const text = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y" # keep\n'
    const put = putToml(text, path, ENTRY)
    expect(put.startsWith(text)).toBe(true)
    expect(parse(put)).toMatchObject({ mcp_servers: { other: { command: 'y' }, quarry: ENTRY } })
    expect(putToml(put, path, ENTRY)).toBe(put)
    expect(takeToml(put, path)).toBe(text)
    const between = `${put}\n[last]\na = 1\n`
    const changed = putToml(between, path, { command: 'z', args: [] })
    expect(parse(changed)).toMatchObject({ mcp_servers: { quarry: { command: 'z' } }, last: { a: 1 } })
    expect(parse(takeToml(changed, path)!)).toEqual({ ...parse(text), last: { a: 1 } })
    expect(takeToml(putToml('', path, ENTRY), path)).toBeNull()
  })

  it.each(['mcp_servers = { quarry = { command = "x" } }', 'a = ', '[mcp_servers]\nquarry.command = "x"'])(
    'is refused in %s',
    text => expect(() => putToml(text, path, ENTRY)).toThrow(/another way|cannot be read/),
  )
})

describe('quarry mcp install', () => {
  const scene = () => {
    const [project, home] = [temporary(), temporary()]
    const run = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'mcp', ...args], {
        cwd: project,
        env: { PATH: '/usr/bin:/bin', HOME: home },
        encoding: 'utf8',
      })
      return { status, stdout, stderr }
    }
    return { project, home, run }
  }

  it.each([
    ['claude-code', '.mcp.json', 'mcpServers'],
    ['cursor', '.cursor/mcp.json', 'mcpServers'],
    ['vscode', '.vscode/mcp.json', 'servers'],
    ['codex', '.codex/config.toml', 'mcp_servers'],
    ['zed', '.config/zed/settings.json', 'context_servers'],
    ['gemini', '.gemini/settings.json', 'mcpServers'],
  ])('%s: shows, writes, starts a server that answers, and takes it out again', (client, file, key) => {
    const { project, home, run } = scene()
    const place = join(client === 'zed' ? home : project, file)
    const dry = run('install', client, '--dry-run')
    expect(dry).toMatchObject({ status: 0 })
    expect(dry.stdout).toMatch(/^\+ /)
    expect(existsSync(place)).toBe(false)
    const done = run('install', client)
    expect(done, done.stderr).toMatchObject({ status: 0, stdout: dry.stdout })
    expect(done.stderr).toContain(place)
    const text = readFileSync(place, 'utf8')
    expect(run('install', client, '--print').stdout).toBe(text)
    const settings = file.endsWith('.toml') ? parse(text) : JSON.parse(text)
    const { command, args } = settings[key].quarry as { command: string; args: string[] }
    const hello = spawnSync(command, args, {
      cwd: project,
      input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } })}\n`,
      encoding: 'utf8',
    })
    expect(JSON.parse(hello.stdout).result.serverInfo.name).toBe('quarry')
    expect(run('install', client)).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringContaining('already'),
    })
    expect(JSON.parse(run('uninstall', client, '--dry-run', '--json').stdout)).toMatchObject({
      ...{ client, file: place, change: 'removed', written: false },
    })
    expect(run('uninstall', client)).toMatchObject({ status: 0 })
    expect(existsSync(place)).toBe(false)
    // Directories that held nothing else went with it.
    expect([...readdirSync(project), ...readdirSync(home)]).toEqual([])
    expect(run('uninstall', client).stderr).toContain('does not have it')
  })

  it('keeps what is there, and the rights of the file', () => {
    const { home, run } = scene()
    const file = join(home, '.cursor/mcp.json')
    mkdirSync(dirname(file))
    writeFileSync(file, '{\n  "mcpServers": {\n    "other": {}\n  }\n}\n')
    chmodSync(file, 0o600)
    const { stdout } = run('install', 'cursor', '--global')
    expect(stdout).toContain('-     "other": {}\n+     "other": {},\n+     "quarry": {')
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).mcpServers)).toEqual(['other', 'quarry'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('writes nothing through a link, into a directory, or over what it cannot read', () => {
    const { project, home, run } = scene()
    const refused = (client: string, code: string) => {
      const { status, stderr } = run('install', client)
      expect(status).toBe(2)
      expect(stderr).toMatch(/error: /)
      expect(stderr).toContain(`quarry mcp install ${client} --print`)
      expect(JSON.parse(run('install', client, '--json').stderr).error.code).toBe(code)
    }
    writeFileSync(join(home, 'victim.json'), '{}')
    symlinkSync(join(home, 'victim.json'), join(project, '.mcp.json'))
    refused('claude-code', 'BAD_PATH')
    symlinkSync(home, join(project, '.cursor'))
    refused('cursor', 'BAD_PATH')
    mkdirSync(join(project, '.vscode/mcp.json'), { recursive: true })
    refused('vscode', 'BAD_PATH')
    mkdirSync(join(project, '.gemini'))
    writeFileSync(join(project, '.gemini/settings.json'), '{ broken')
    refused('gemini', 'BAD_CONFIG')
    expect(readFileSync(join(project, '.gemini/settings.json'), 'utf8')).toBe('{ broken')
    expect(readFileSync(join(home, 'victim.json'), 'utf8')).toBe('{}')
    expect(run('install', 'cursr').stderr).toContain('quarry mcp install cursor')
    expect(run('install')).toMatchObject({ status: 2, stderr: expect.stringContaining('claude-code|cursor') })
  })
})
