import { describe, expect, it } from 'vitest'
import { questionWords } from '../../dist/present/question-words.js'
import { shownSymbol } from '../../dist/present/shown-symbol.js'

const named = (text: string, defined: Readonly<Record<string, [line: number, kind?: string]>>) => ({
  startLine: 100,
  text,
  symbols: Object.entries(defined).map(([name, [line, kind = 'function']]) => ({
    ...{ name, kind, qualifiedName: name, line: 99 + line },
  })),
})

const PYTHON = named(
  `import wanted

@cases(
    imports, [1, 2],
)
def first(value):
    return value

@app.command("hello")
# greets whoever calls
def second():
    """Docstring of it."""
    print("body")
`,
  { first: [6], second: [11] },
)

const SCRIPT = named(
  `const limit = 10

register(handlers)

/* opens
   the door
*/
class Door {
  /** Turns the key. */
  turn() {
    lock.release()
  }
}

start(door)
`,
  { limit: [1, 'constant'], Door: [8, 'class'], 'Door.turn': [10, 'method'] },
)

describe('shownSymbol', () => {
  it.each([
    [PYTHON, 'cases', 'first'],
    [PYTHON, 'value', 'first'],
    [PYTHON, 'greets', 'second'],
    [PYTHON, 'hello', 'second'],
    [PYTHON, 'body', 'second'],
    // What no name is around has none.
    [PYTHON, 'wanted', null],
    [SCRIPT, 'limit', 'limit'],
    [SCRIPT, 'register handlers', null],
    [SCRIPT, 'the door opens', 'Door'],
    [SCRIPT, 'turns the key', 'Door.turn'],
    [SCRIPT, 'release', 'Door.turn'],
    [SCRIPT, 'start', null],
    // Nothing of it stands there: all of the chunk is meant.
    [SCRIPT, 'elephant', 'limit'],
  ] as const)('%#', (chunk, question, symbol) => {
    expect(shownSymbol(chunk, questionWords(question))).toBe(symbol)
  })

  it('keeps the heading of a text whatever its examples close', () => {
    const text = '# Install\n\n```js\nrun({\n})\n```\n\nThen restart it.\n'
    expect(shownSymbol(named(text, { Install: [1, 'heading'] }), questionWords('restart'))).toBe('Install')
  })
})
