/** What is generated is what the tools say, and what registries and clients accept. */

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generatedFiles } from '../../build/scripts/generate.js'
import { tools } from '../../dist/mcp/tools/index.js'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

describe('generated files', () => {
  it.each(Object.entries(generatedFiles()))('%s is as npm run generate writes it', (path, text) => {
    expect(read(path)).toBe(text)
  })

  it('name the package as it is published, as the registry demands', () => {
    const { name, version, mcpName } = JSON.parse(read('package.json'))
    const server = JSON.parse(read('server.json'))
    // The rules of the registry's schema of 2025-12-11 that a change of package.json could break.
    expect(server.name).toBe(mcpName)
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    expect(server.description.length).toBeLessThanOrEqual(100)
    expect(server.version).toBe(version)
    expect(server.packages[0]).toMatchObject({ identifier: name, version, transport: { type: 'stdio' } })
  })

  it('make a plugin whose parts are where they are looked for', () => {
    const { plugins } = JSON.parse(read('.claude-plugin/marketplace.json'))
    const plugin = JSON.parse(read(join(plugins[0].source, '.claude-plugin/plugin.json')))
    expect(plugin.name).toBe(plugins[0].name)
    const { mcpServers } = JSON.parse(read(join(plugins[0].source, '.mcp.json')))
    expect(mcpServers.quarry).toEqual({ command: 'quarry', args: ['mcp'] })
    const skill = read(join(plugins[0].source, 'skills/quarry/SKILL.md'))
    expect(skill).toMatch(/^---\nname: quarry\ndescription: "[^\n]{1,1024}"\n---\n/)
    for (const { name, description } of tools) expect(skill).toContain(`\`${name}\`: ${description}`)
  })
})
