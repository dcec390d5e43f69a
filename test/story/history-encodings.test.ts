import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { find, indexHistory, repositoryIn } from './history-scene.js'
import { story } from './story.js'

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')

/** Twenty lines; the second version changes the eighteenth. */
const lines = (end: string, last: string, word: string): string =>
  Array.from({ length: 20 }, (_, at) => (at === 17 ? word : `line ${at}`)).join(end) + last

describe('files of old commits in every encoding', () => {
  story(
    'have the lines that git counts, and are skipped with a reason where they are no text',
    async scene => {
      const repository = repositoryIn(scene)
      const version = (word: string): Record<string, string | Buffer> => ({
        'bom.ts': `\ufeff${lines('\n', '\n', word)}`,
        'crlf.ts': lines('\r\n', '\r\n', word),
        'mixed.ts': lines('\n', '\r\n', word)
          .replace('line 3\n', 'line 3\r\n')
          .replace('line 5\n', 'line 5\rstill five\n'),
        'cr.ts': lines('\r', '\r', word),
        'unended.ts': lines('\n', '', word),
        'latin.ts': Buffer.from(lines('\n', '\n', `${word} caf\u00e9`), 'latin1'),
        'broken.ts': Buffer.concat([
          Buffer.from(lines('\n', '\n', word)),
          Buffer.from([0xc3, 0x28, 0xff, 0x0a]),
        ]),
        'surrogate.ts': Buffer.concat([
          Buffer.from([0xed, 0xa0, 0x80, 0x0a]),
          Buffer.from(lines('\n', '\n', word)),
        ]),
        'nul.ts': lines('\n', '\n', `${word}\0`),
        'utf16.ts': utf16(lines('\n', '\n', word)),
      })
      repository.commit('Begin', version('walrus'))
      for (const [path, content] of Object.entries(version('pelican')))
        repository.commit(`Change ${path}`, { [path]: content })
      symlinkSync('/etc/passwd', join(scene.repo, 'link.ts'))
      repository.commit('Add a link')
      await indexHistory(scene)
      const { hits } = await find(scene, 'change', '-k', '20', '--max-per-file', '0')
      const shown = new Map(hits.map(hit => [hit.message, hit]))
      expect(shown.size).toBe(12)
      for (const path of [
        'bom.ts',
        'crlf.ts',
        'mixed.ts',
        'unended.ts',
        'latin.ts',
        'broken.ts',
        'surrogate.ts',
      ]) {
        const hit = shown.get(`Change ${path}`)!
        const [, start, count] = /^@@ -\S+ \+(\d+),(\d+) @@/m.exec(
          repository.git('show', '--format=', hit.commit!),
        )!
        expect([path, hit.path, hit.startLine, hit.endLine]).toEqual([
          path,
          path,
          Number(start),
          Number(start) + Number(count) - 1,
        ])
        expect([
          path,
          hit.text.split('\n').filter(line => line.startsWith('+') && line.includes('pelican')),
        ]).toEqual([path, [expect.any(String)]])
      }
      // To git a file without line feeds is one line.
      expect(shown.get('Change cr.ts')).toMatchObject({ path: 'cr.ts', startLine: 1, endLine: 1 })
      for (const path of ['nul.ts', 'utf16.ts'])
        expect(shown.get(`Change ${path}`)).toMatchObject({ path: '', change: null })
      const skipped = (await scene.run('status', '--skipped')).stdout
      for (const path of ['nul.ts', 'utf16.ts'])
        expect(skipped).toMatch(new RegExp(`binary +[0-9a-f]+:${path}`))
      // A link is what it says, and nobody looks where it leads.
      expect(shown.get('Add a link')).toMatchObject({ path: 'link.ts', change: 'added' })
      expect(shown.get('Add a link')!.text).toContain('+/etc/passwd')
      expect(JSON.stringify(hits)).not.toContain('root:')
      for (const path of ['mixed.ts', 'surrogate.ts']) {
        const line = path === 'surrogate.ts' ? 19 : 18
        const { exact } = JSON.parse((await scene.run('explain', `${path}:${line}`, '--json')).stdout)
        expect([path, exact[0].message]).toEqual([path, `Change ${path}`])
      }
    },
  )
})
