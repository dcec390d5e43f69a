/** A small real project in a temporary directory, and a Quarry on it that writes nowhere else. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type OpenOptions, openQuarry, type Quarry } from '../../dist/index.js'
import { removeWhenQuiet } from '../fixtures/remove-when-quiet.js'

export interface Scene {
  readonly root: string
  readonly home: string
  write(path: string, text: string): void
  remove(path: string): void
  open(options?: OpenOptions): Promise<Quarry>
  end(): Promise<void>
}

export const FILES: Readonly<Record<string, string>> = {
  'src/http/retry.ts': `/** Tries a request again when the server is busy. */
export const retryWithBackoff = async (request: () => Promise<Response>, attempts: number): Promise<Response> => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const response = await request()
    if (response.status !== 429) return response
    await sleep(2 ** attempt * 100)
  }
  throw new Error('the server stayed busy')
}
`,
  'src/http/session.ts': `import { retryWithBackoff } from './retry.js'

export class HttpSession {
  readonly cookies = new Map<string, string>()

  /** Keeps cookies between requests. */
  rememberCookies(response: Response): void {
    this.cookies.set('session', response.headers.get('set-cookie') ?? '')
  }
}
`,
  'src/store/cache.py': `class LruCache:
    """Evicts the entry that was used least recently."""

    def evict_oldest(self):
        self.entries.popitem(last=False)
`,
  'test/retry.test.ts': `import { retryWithBackoff } from '../src/http/retry.js'

test('retryWithBackoff tries again when the server is busy', async () => {
  await retryWithBackoff(busyServer, 3)
})
`,
  'README.md': `# Sample

## Retrying requests

Requests are retried with exponential backoff when the server is busy.
`,
}

export const scene = (files: Readonly<Record<string, string>> = FILES): Scene => {
  const base = mkdtempSync(join(tmpdir(), 'quarry-scene-'))
  const root = join(base, 'project')
  const home = join(base, 'home')
  const opened: Quarry[] = []
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  mkdirSync(root, { recursive: true })
  for (const [path, text] of Object.entries(files)) write(path, text)
  return {
    root,
    home,
    write,
    remove: path => rmSync(join(root, path)),
    async open(options = {}) {
      const quarry = await openQuarry({
        root,
        ...options,
        overrides: { offline: true, ...options.overrides },
        environment: { PATH: process.env.PATH, HOME: home, QUARRY_HOME: home, ...options.environment },
      })
      opened.push(quarry)
      return quarry
    },
    async end() {
      for (const quarry of opened) await quarry.close()
      await removeWhenQuiet(base)
    },
  }
}
