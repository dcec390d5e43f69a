/**
 * `npm run generate`: writes what is made of the tools' own words and of package.json, for registries and clients: `server.json`
 * of the MCP registry and the plugin for Claude Code. `--check` writes nothing and fails where a file differs.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { guide, SKILL_DESCRIPTION } from '#dist/mcp/guide.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly mcpName: string
}

const manifest = (): Manifest => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** By path from the root of the repository. */
export const generatedFiles = (): Readonly<Record<string, string>> => {
  const { name, version, description, license, mcpName } = manifest()
  const owner = { name: 'The Quarry authors' }
  return {
    'server.json': json({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: mcpName,
      title: 'Quarry',
      description,
      version,
      packages: [
        {
          registryType: 'npm',
          identifier: name,
          version,
          transport: { type: 'stdio' },
          packageArguments: [{ type: 'positional', value: 'mcp' }],
        },
      ],
    }),
    '.claude-plugin/marketplace.json': json({
      name,
      owner,
      plugins: [{ name, source: './plugin', description, version }],
    }),
    'plugin/.claude-plugin/plugin.json': json({
      ...{ name, version, description, author: owner, license },
      keywords: ['search', 'git', 'history', 'code'],
    }),
    'plugin/.mcp.json': json({ mcpServers: { quarry: { command: 'quarry', args: ['mcp'] } } }),
    'plugin/skills/quarry/SKILL.md': [
      '---',
      'name: quarry',
      `description: ${JSON.stringify(SKILL_DESCRIPTION)}`,
      '---',
      '',
      '# Searching with Quarry',
      '',
      guide(),
      '',
    ].join('\n'),
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const differs = (path: string, text: string): boolean => {
  try {
    return readFileSync(join(root, path), 'utf8') !== text
  } catch {
    return true
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const stale = Object.entries(generatedFiles()).filter(([path, text]) => differs(path, text))
  if (process.argv.includes('--check')) {
    for (const [path] of stale) console.error(`${path} differs from what npm run generate writes`)
    process.exitCode = stale.length > 0 ? 1 : 0
  } else
    for (const [path, text] of stale) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
      console.log(path)
    }
}
