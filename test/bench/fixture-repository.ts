/** Builds git repositories for the benchmark tests: fixed authors and dates, deaf to the git settings of the host. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export const temporaryDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'quarry-bench-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export const writeTree = (directory: string, files: Readonly<Record<string, string | Buffer>>): void => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), content)
  }
}

export interface FixtureRepository {
  readonly work: string
  /** What a mirror would be: the directory with HEAD and objects. */
  readonly gitDirectory: string
  git(...args: string[]): string
  /** The same with something to read. */
  pipe(input: Buffer, ...args: string[]): string
  /** Commits whatever the work tree holds, at this date. */
  commit(date: string): string
}

export const fixtureRepository = (work: string): FixtureRepository => {
  const environment = (date: string): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
    GIT_COMMITTER_DATE: date,
  })
  const run = (date: string, args: readonly string[], input: Buffer = Buffer.alloc(0)): string =>
    execFileSync('git', args, {
      cwd: work,
      env: environment(date),
      encoding: 'utf8',
      input,
      stdio: 'pipe',
    }).trim()

  mkdirSync(work, { recursive: true })
  run('2020-01-01T00:00:00Z', ['init', '--quiet', '--initial-branch=main'])
  return {
    work,
    gitDirectory: join(work, '.git'),
    git: (...args) => run('2020-01-01T00:00:00Z', args),
    pipe: (input, ...args) => run('2020-01-01T00:00:00Z', args, input),
    commit: date => {
      run(date, ['add', '--all'])
      run(date, ['commit', '--quiet', '--allow-empty', '--message', `As of ${date}`])
      return run(date, ['rev-parse', 'HEAD'])
    },
  }
}
