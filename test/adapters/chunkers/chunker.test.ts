import { afterAll, describe, expect, it } from 'vitest'
import { treeSitterChunker } from '../../../dist/adapters/chunkers/tree-sitter/index.js'
import { documentOf, expectCover } from './document.js'

const chunker = treeSitterChunker({ workers: 1 })
afterAll(() => chunker.close())

const chunk = (path: string, language: string, text: string) =>
  chunker.chunk(documentOf(path, language, text))

const repeat = (times: number, line: (at: number) => string): string =>
  Array.from({ length: times }, (_, at) => line(at)).join('\n')

describe('identity', () => {
  it('names the revision and the size of its chunks', async () => {
    expect(chunker.id).toBe('tree-sitter-2/1500')
    const other = treeSitterChunker({ chunkCharacters: 800 })
    expect(other.id).toBe('tree-sitter-2/800')
    await other.close()
  })
})

describe('containers', () => {
  const methods = repeat(
    12,
    at =>
      `  /** Says ${at}. */\n  say${at}(times: number): string {\n    // ${'x'.repeat(200)}\n    return 'word'.repeat(times)\n  }\n`,
  )
  const text = `import a from 'a'\n\nexport class Speaker extends Person {\n${methods}}\n\nexport function last() {}\n`

  it('are cut at their members, and every piece names the container', async () => {
    const chunks = await chunk('src/speaker.ts', 'typescript', text)
    expectCover(text, chunks)
    expect(chunks.length).toBeGreaterThan(2)
    const inside = chunks.filter(({ symbols }) => symbols.some(({ name }) => name.startsWith('say')))
    for (const { header } of inside)
      expect(header).toContain('src/speaker.ts :: export class Speaker extends Person :: ')
    expect(chunks.at(-1)?.header).toBe('src/speaker.ts :: export function last() {}')
  })

  it('keep a comment with the member below it', async () => {
    for (const { text: piece } of await chunk('src/speaker.ts', 'typescript', text)) {
      expect(piece.match(/\/\*\* Says/g)?.length ?? 0).toBe(piece.match(/^ {2}say\d/gm)?.length ?? 0)
    }
  })

  it('are whole when they fit, and the header holds the signature', async () => {
    const [only] = await chunk(
      'a.py',
      'python',
      'class A(B):\n    def f(self,\n          x=1):\n        return x\n',
    )
    expect(only?.header).toBe('a.py :: class A(B)')
    expect(only?.symbols.map(({ qualifiedName }) => qualifiedName)).toEqual(['A', 'A.f'])
  })

  it('name all definitions of a merged chunk', async () => {
    const [only] = await chunk('a.go', 'go', 'package a\n\nfunc One() {}\n\nfunc (t *Two) Three() {}\n')
    expect(only?.header).toBe('a.go :: One, Three')
  })

  it('show what an implementation block is for', async () => {
    const [only] = await chunk(
      'a.rs',
      'rust',
      'impl<T> From<T> for Wrapper<T> {\n    fn from(value: T) -> Self { Self(value) }\n}\n',
    )
    expect(only?.header).toBe('a.rs :: impl<T> From<T> for Wrapper<T>')
    expect(only?.symbols).toEqual([{ name: 'from', kind: 'method', qualifiedName: 'Wrapper.from', line: 2 }])
  })
})

describe('large functions', () => {
  const block = (at: number): string =>
    `    if value == ${at}:\n        total += ${at}\n        log("${'y'.repeat(300)}")\n        total -= 1\n`
  const text = `def outer(\n    value,\n    other,\n):\n    total = 0\n${repeat(20, block)}\n    def inner():\n        return total\n\n    return inner\n`

  it('are cut at block borders and carry the signature on', async () => {
    const chunks = await chunk('a.py', 'python', text)
    expectCover(text, chunks)
    expect(chunks.length).toBeGreaterThan(3)
    for (const { header } of chunks) expect(header).toMatch(/^a\.py :: def outer(?: :: |$)/)
    for (const { text: piece } of chunks.slice(1)) expect(piece).toMatch(/^ {4}(?:if|def|return)/)
  })

  it('show what they define inside', async () => {
    const symbols = (await chunk('a.py', 'python', text)).flatMap(piece => piece.symbols)
    expect(symbols.map(({ qualifiedName }) => qualifiedName)).toEqual(['outer', 'outer.inner'])
  })
})

describe('names of one function', () => {
  const long = repeat(30, at => `  this.lines.push('${'z'.repeat(60)}${at}')`)
  const text = `res.get = function () {\n${long}\n}\n\n/**\n * Sets a field.\n */\n\nres.set =\nres.header = function header(field, value) {\n  return this\n}\n`

  it('are all in its header, and a comment above a blank line stays with it', async () => {
    const chunks = await chunk('response.js', 'javascript', text)
    expectCover(text, chunks)
    const last = chunks.at(-1)!
    expect(last.header).toBe('response.js :: res.set = res.header = function header(field, value)')
    expect(last.text).toMatch(/^\/\*\*\n \* Sets/)
    expect(last.symbols).toEqual([
      { name: 'set', kind: 'method', qualifiedName: 'res.set', line: 38 },
      { name: 'header', kind: 'method', qualifiedName: 'res.header', line: 39 },
    ])
  })

  it('are found once, however large the function is', async () => {
    const large = `a.one =\na.two = function three() {\n${long}\n}\nconst four = memo(function five() {\n${long}\n})\n`
    const symbols = (await chunk('a.js', 'javascript', large)).flatMap(piece => piece.symbols)
    expect(symbols.map(({ qualifiedName, line }) => `${line} ${qualifiedName}`)).toEqual([
      '1 a.one',
      '2 a.two',
      '2 three',
      '34 four',
      '34 five',
    ])
  })
})

describe('line ends and odd characters', () => {
  it('counts CRLF as one line end and drops the byte order mark', async () => {
    const [only] = await chunk('a.txt', 'text', '\uFEFFone\r\ntwo\r\n\r\nfour\r\n')
    expect(only).toMatchObject({ startLine: 1, endLine: 4, text: 'one\ntwo\n\nfour' })
  })

  it('takes a lone CR for text where there are other line ends, like git', async () => {
    const [only] = await chunk('a.txt', 'text', 'one\rstill one\ntwo\n')
    expect(only).toMatchObject({ startLine: 1, endLine: 2, text: 'one\rstill one\ntwo' })
  })

  it('takes CR for a line end where there is no other', async () => {
    const [only] = await chunk('a.js', 'javascript', 'let a\rfunction b() {}\r')
    expect(only).toMatchObject({ startLine: 1, endLine: 2, text: 'let a\nfunction b() {}' })
    expect(only?.symbols.at(-1)).toMatchObject({ name: 'b', line: 2 })
  })

  it('finds lines behind emoji, CJK and lone surrogates', async () => {
    const text = `const 箱 = '🎉🎉'\n// \uD83D alone, and 👩‍👩‍👧\nfunction größe() {\n  return '\uDE00'\n}\nclass Ünï {}\n`
    const chunks = await chunk('a.ts', 'typescript', text)
    expectCover(text, chunks)
    expect(chunks[0]?.symbols.map(({ name, line }) => [name, line])).toEqual([
      ['箱', 1],
      ['größe', 3],
      ['Ünï', 6],
    ])
  })

  it.each(['', '\n\n', '   \n\t\n', '\uFEFF', '\r\r', '\r\n'])('makes nothing of %j', async text => {
    expect(await chunk('a.ts', 'typescript', text)).toEqual([])
    expect(await chunk('a.md', 'markdown', text)).toEqual([])
    expect(await chunk('a.txt', 'text', text)).toEqual([])
  })
})

describe('giant lines', () => {
  it('are cut into windows that share their line', async () => {
    const giant = 'const data = "'.concat('ab🎉'.repeat(3_000_000), '"')
    const text = `let first\n${giant}\nlet last\n`
    const chunks = await chunk('data.js', 'javascript', text)
    expect(chunks.length).toBeGreaterThan(2_000)
    expect(chunks[0]).toMatchObject({ startLine: 1, endLine: 1, text: 'let first' })
    expect(chunks.at(-1)).toMatchObject({ startLine: 3, endLine: 3, text: 'let last' })
    const windows = chunks.slice(1, -1)
    expect(windows.every(({ startLine, endLine }) => startLine === 2 && endLine === 2)).toBe(true)
    expect(windows.every(({ text: window }) => window.length <= 4_000 && window.isWellFormed())).toBe(true)
    expect(windows.map(({ text: window }) => window).join('')).toBe(giant)
  })

  it('are windows in code that is parsed, too', async () => {
    const text = `function small() {}\nconst table = [${repeat(3_000, at => `${at},`).replaceAll('\n', ' ')}]\nfunction after() {}\n`
    const chunks = await chunk('table.js', 'javascript', text)
    expectCover(text, chunks)
    expect(chunks.flatMap(({ symbols }) => symbols.map(({ name }) => name))).toEqual([
      'small',
      'table',
      'after',
    ])
  })
})

describe('what has no grammar', () => {
  it('is cut at blank lines, then at little indentation', async () => {
    const paragraph = (at: number): string => `table_${at}:\n  ${'- entry\n  '.repeat(40)}- last\n`
    const text = repeat(12, paragraph)
    const chunks = await chunk('schema.yaml', 'yaml', text)
    expectCover(text, chunks)
    for (const { text: piece, header, symbols } of chunks) {
      expect(piece).toMatch(/^table_/)
      expect(header).toBe('schema.yaml')
      expect(symbols).toEqual([])
    }
  })

  it('is cut by lines as well when it is code above one megabyte', async () => {
    const text = repeat(30_000, at => `export const value${at} = ${at} // ${'z'.repeat(20)}`)
    expect(text.length).toBeGreaterThan(1_000_000)
    const chunks = await chunk('generated.ts', 'typescript', text)
    expectCover(text, chunks)
    expect(chunks.every(({ symbols }) => symbols.length === 0)).toBe(true)
  })

  it('reads a C++ header that calls itself C', async () => {
    const [only] = await chunk(
      'grid.h',
      'c',
      '#pragma once\nnamespace grid {\nclass Cell {\n public:\n  int size() const;\n};\n}\n',
    )
    expect(only?.symbols.map(({ qualifiedName }) => qualifiedName)).toEqual([
      'grid',
      'grid.Cell',
      'grid.Cell.size',
    ])
  })
})

describe('Markdown', () => {
  const section = (title: string): string => `${title}\n\n${'Some words about it. '.repeat(60)}\n\n`

  it('is cut at headings, and pieces name the sections they are in', async () => {
    const text = `${section('# Guide')}${section('## Install')}${section('## Use')}${section('### Search')}`
    const chunks = await chunk('guide.md', 'markdown', text)
    expectCover(text, chunks)
    expect(chunks.map(({ header }) => header)).toEqual([
      'guide.md :: Guide',
      'guide.md :: Guide :: Install',
      'guide.md :: Guide :: Use',
      'guide.md :: Guide :: Use :: Search',
    ])
    expect(chunks.at(-1)?.symbols).toEqual([
      { name: 'Search', kind: 'heading', qualifiedName: 'Guide.Use.Search', line: 13 },
    ])
  })

  it('leaves code blocks alone, even one that is never closed', async () => {
    const code = '# not a heading\n'.repeat(3)
    const text = `# One\n\n~~~sh\n${code}\`\`\`\n${code}~~~\n\n# Two\n\n\`\`\`\n${code}`
    const symbols = (await chunk('a.md', 'markdown', text)).flatMap(piece => piece.symbols)
    expect(symbols.map(({ name, line }) => [name, line])).toEqual([
      ['One', 1],
      ['Two', 13],
    ])
  })
})

describe('signal and end', () => {
  it('stops for an aborted signal, before and during the parse', async () => {
    const controller = new AbortController()
    const text = repeat(5_000, at => `function f${at}() { return ${at} }`)
    const parse = chunker.chunk(documentOf('a.js', 'javascript', text), controller.signal)
    controller.abort()
    await expect(parse).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect(
      chunker.chunk(documentOf('a.js', 'javascript', 'x'), controller.signal),
    ).rejects.toMatchObject({
      code: 'CANCELLED',
    })
    expect(await chunk('a.js', 'javascript', 'let x')).toHaveLength(1)
  })

  it('refuses work once it is closed', async () => {
    const closed = treeSitterChunker()
    await closed.close()
    await closed.close()
    await expect(closed.chunk(documentOf('a.js', 'javascript', 'x'))).rejects.toMatchObject({
      code: 'CANCELLED',
    })
  })
})
