import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileGlob, compileGlobs } from '../../dist/text/glob.js'

const matches = (pattern: string, ...paths: string[]) => paths.map(path => compileGlob(pattern)(path))

describe('compileGlob', () => {
  it('lets ** stand for any number of directories, none included', () => {
    expect(matches('src/**/*.ts', 'src/a.ts', 'src/b/c/a.ts', 'lib/src/a.ts', 'src/a.tsx')).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(matches('**/test/**', 'test/a', 'a/b/test/c/d', 'test', 'a/test')).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(matches('**', 'a', 'a/b')).toEqual([true, true])
    expect(matches('a/**/b/**/c', 'a/b/c', 'a/x/b/y/z/c', 'a/b/b/c', 'a/c')).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  it('keeps * and ? inside one name', () => {
    expect(matches('src/*', 'src/a.ts', 'src/a/b.ts', 'src')).toEqual([true, false, false])
    expect(matches('src/?.ts', 'src/a.ts', 'src/ab.ts', 'src/😀.ts', 'src//.ts')).toEqual([
      true,
      false,
      true,
      false,
    ])
  })

  it('matches the base name when there is no slash', () => {
    expect(matches('*.ts', 'a.ts', 'src/deep/a.ts', 'a.ts/b.js')).toEqual([true, true, false])
    expect(matches('README.md', 'README.md', 'docs/README.md', 'XREADME.md')).toEqual([true, true, false])
  })

  it('matches a file or everything below a directory when there is no wildcard', () => {
    expect(matches('src/core', 'src/core', 'src/core/a/b.ts', 'src/core.ts', 'x/src/core/a')).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(matches('src/', 'src/a.ts', 'src', 'x/src/a')).toEqual([true, false, false])
    expect(matches('./src/core/', 'src/core/a.ts')).toEqual([true])
    expect(matches('/src', 'src/a.ts')).toEqual([true])
  })

  it('knows classes, ranges and their negation', () => {
    expect(matches('[abc].ts', 'a.ts', 'd.ts')).toEqual([true, false])
    expect(matches('[a-cx-z].ts', 'b.ts', 'y.ts', 'm.ts')).toEqual([true, true, false])
    expect(matches('[!a-c].ts', 'b.ts', 'm.ts')).toEqual([false, true])
    expect(matches('[^a].ts', 'a.ts', 'b.ts')).toEqual([false, true])
    expect(matches('[]a].ts', '].ts', 'a.ts')).toEqual([true, true])
    expect(matches('a[b.ts', 'a[b.ts')).toEqual([true])
  })

  it('takes a character behind a backslash as it is', () => {
    expect(matches('app/\\[id\\].tsx', 'app/[id].tsx', 'app/i.tsx')).toEqual([true, false])
    expect(matches('\\*.ts', '*.ts', 'a.ts')).toEqual([true, false])
    expect(matches('x\\{a,b\\}*', 'x{a,b}1', 'xa1')).toEqual([true, false])
  })

  it('expands braces, nested ones too, and leaves lonely ones alone', () => {
    expect(matches('src/**/*.{ts,tsx}', 'src/a.ts', 'src/b/a.tsx', 'src/a.js')).toEqual([true, true, false])
    expect(matches('{src,test/{unit,story}}/*', 'src/a', 'test/unit/a', 'test/story/a', 'test/a')).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(matches('a{b}c', 'a{b}c', 'abc')).toEqual([true, false])
    expect(matches('a{b,c', 'a{b,c')).toEqual([true])
    expect(matches('a{,b}', 'a', 'ab', 'ac')).toEqual([true, true, false])
  })

  it('turns round behind a leading !', () => {
    expect(matches('!**/*.test.ts', 'a.test.ts', 'a.ts')).toEqual([false, true])
  })

  it('refuses what is empty, too long or explodes, with the word BAD_INPUT', () => {
    const bomb = '{a,b}'.repeat(20)
    const nested = `${'{a,'.repeat(80)}b${'}'.repeat(80)}`
    const wide = `{${Array.from({ length: 65 }, (_, n) => `f${n}`).join(',')}}`
    for (const pattern of ['', '!', '/', bomb, nested, wide, 'x'.repeat(2000)]) {
      expect(() => compileGlob(pattern)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }))
    }
    const roomy = `{${Array.from({ length: 64 }, (_, n) => `f${n}`).join(',')}}`
    expect(matches(roomy, 'f63', 'f64')).toEqual([true, false])
  })

  it('answers hostile patterns on hostile paths within 100 ms', () => {
    const path = `${'a/'.repeat(1000)}${'a'.repeat(2000)}`
    const hostile = [
      `${'*a'.repeat(300)}b`,
      `${'**/'.repeat(250)}b`,
      `${'**/*a*/'.repeat(100)}b`,
      `**/${'a'.repeat(500)}*b`,
      `${'{*a,*b}'.repeat(6)}c`,
      `${'?'.repeat(500)}*${'?'.repeat(400)}b`,
    ]
    const milliseconds = (pattern: string): number => {
      const started = performance.now()
      expect(compileGlob(pattern)(path)).toBe(false)
      return performance.now() - started
    }
    // The best of three: on a busy machine any single run may be interrupted.
    for (const pattern of hostile) {
      expect(Math.min(milliseconds(pattern), milliseconds(pattern), milliseconds(pattern))).toBeLessThan(100)
    }
  })

  it('agrees with a plain recursive definition on small inputs', () => {
    const piece = fc.constantFrom('a', 'b', '*', '?', '/', '**', '**/')
    const pattern = fc.array(piece, { minLength: 1, maxLength: 7 }).map(pieces => `a/${pieces.join('')}x`)
    const path = fc
      .array(fc.constantFrom('a', 'b', 'x', '/'), { maxLength: 9 })
      .map(pieces => `a/${pieces.join('')}`)
    fc.assert(
      fc.property(pattern, path, (glob, text) => {
        const clean = glob.replace(/\/+/g, '/')
        fc.pre(/[*?]/.test(clean) && !text.includes('//'))
        expect(compileGlob(clean)(text)).toBe(definition(clean.split('/'), text.split('/')))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('compileGlobs', () => {
  it('wants one of the plain patterns and none of those with !', () => {
    const allows = compileGlobs(['src/**', 'lib/**', '!**/*.test.ts'])
    expect(['src/a.ts', 'lib/a.ts', 'src/a.test.ts', 'bin/a.ts'].map(allows)).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(['a.ts', 'a.test.ts'].map(compileGlobs(['!*.test.ts']))).toEqual([true, false])
    expect(compileGlobs([])('anything')).toBe(true)
  })
})

/** Exponential and obviously right. */
const definition = (segments: readonly string[], parts: readonly string[]): boolean => {
  if (segments.length === 0) return parts.length === 0
  const [first, ...rest] = segments as [string, ...string[]]
  if (first === '**') {
    if (rest.length === 0) return parts.length > 0
    return definition(rest, parts) || (parts.length > 0 && definition(segments, parts.slice(1)))
  }
  return parts.length > 0 && inName(first.replace(/\*+/g, '*'), parts[0]!) && definition(rest, parts.slice(1))
}

const inName = (pattern: string, text: string): boolean => {
  if (pattern === '') return text === ''
  if (pattern[0] === '*')
    return inName(pattern.slice(1), text) || (text !== '' && inName(pattern, text.slice(1)))
  return (
    text !== '' && (pattern[0] === '?' || pattern[0] === text[0]) && inName(pattern.slice(1), text.slice(1))
  )
}
