/** `quarry init --agents`: our lines come and go, everything else stays. */

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { story } from '../story/story.js'

const MARK = '>>> quarry init --agents'

describe('quarry init --agents', () => {
  story('writes a file, knows its own lines, and takes them out again', async ({ repo, run }) => {
    const file = join(repo, 'AGENTS.md')
    const dry = await run('init', '--agents', '--dry-run')
    expect(dry.code).toBe(0)
    expect(dry.stdout).toContain('`semantic_search`')
    expect(existsSync(file)).toBe(false)
    expect((await run('init', '--agents')).code).toBe(0)
    const written = readFileSync(file, 'utf8')
    expect(written).toContain(MARK)
    expect((await run('init', '--agents')).stderr).toContain('already')
    expect(readFileSync(file, 'utf8')).toBe(written)
    writeFileSync(file, written.replace('`find_pattern`', '`find_nothing`'))
    expect(JSON.parse((await run('init', '--agents', '--json')).stdout)).toMatchObject({
      change: 'changed',
      written: true,
    })
    expect(readFileSync(file, 'utf8')).toBe(written)
    await run('init', '--agents', '--remove')
    expect(existsSync(file)).toBe(false)
  })

  story('leaves what others wrote as it is, whatever its line ends', async ({ repo, run }) => {
    const file = join(repo, 'AGENTS.md')
    for (const text of [
      '# Rules\n\nBe kind.\n',
      '# Rules\r\n\r\nBe kind.\r\n',
      '# Rules\nBe kind.',
      '\n\n',
    ]) {
      writeFileSync(file, text)
      await run('init', '--agents')
      const written = readFileSync(file, 'utf8')
      expect(written.startsWith(text)).toBe(true)
      expect(/(?<!\r)\n/.test(written)).toBe(!text.includes('\r\n'))
      await run('init', '--agents', '--remove')
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
    writeFileSync(file, '# Rules\n')
    await run('init', '--agents')
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n# More rules\n`)
    await run('init', '--agents', '--remove')
    expect(readFileSync(file, 'utf8')).toBe('# Rules\n\n\n# More rules\n')
  })

  story('refuses links, and marks that do not match', async ({ repo, home, run }) => {
    const file = join(repo, 'AGENTS.md')
    mkdirSync(home, { recursive: true })
    const elsewhere = join(home, 'elsewhere.md')
    writeFileSync(elsewhere, 'not ours\n')
    symlinkSync(elsewhere, file)
    const linked = await run('init', '--agents')
    expect(linked.code).toBe(2)
    expect(linked.stderr).toContain('link')
    expect(readFileSync(elsewhere, 'utf8')).toBe('not ours\n')
    const other = join(repo, 'below')
    mkdirSync(other)
    writeFileSync(join(other, 'AGENTS.md'), `<!-- ${MARK} -->\nhalf of it\n`)
    const half = await run('init', '--agents', '--repo', other)
    expect(half.code).toBe(2)
    expect(readFileSync(join(other, 'AGENTS.md'), 'utf8')).toContain('half of it')
  })
})
