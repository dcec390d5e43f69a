import { describe, expect, it } from 'vitest'
import { isChangelogPath, isDocumentationPath, isTestPath } from '../../dist/text/file-role.js'

describe('what a path says a file is for', () => {
  it.each([
    'tests/test_x.py',
    'src/a.test.ts',
    'a_test.go',
    'src/FooTest.java',
    'spec/x_spec.rb',
    'conftest.py',
  ])('%s is a test', path => expect(isTestPath(path)).toBe(true))

  it.each(['src/latest.ts', 'contest/x.py', 'src/testify.go'])('%s is no test', path =>
    expect(isTestPath(path)).toBe(false),
  )

  it.each(['README.md', 'docs/conf.py', 'doc/x/y.rst'])('%s is documentation', path =>
    expect(isDocumentationPath(path)).toBe(true),
  )

  it.each([
    'CHANGELOG.md',
    'HISTORY.rst',
    'CHANGES',
    'docs/releases/4.2.txt',
    'changelog/123.bugfix.rst',
    'CHANGES/99.misc',
    'doc/whatsnew/3/index.rst',
  ])('%s tells of releases', path => expect(isChangelogPath(path)).toBe(true))

  it.each([
    'src/history.ts',
    'src/history/index.ts',
    'lib/changes.js',
    'src/changes/find.ts',
    'release/build.sh',
  ])('%s is code', path => expect(isChangelogPath(path)).toBe(false))
})
