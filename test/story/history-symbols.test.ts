import { rmSync } from 'node:fs'
import { describe, expect } from 'vitest'
import type { Hit } from '../../dist/core/answers.js'
import { indexHistory, repositoryIn } from './history-scene.js'
import { type Scene, story } from './story.js'

/** What is said of the first hit of each question, which is the message of a commit; all by one process. */
const touched = async (scene: Scene, ...questions: readonly string[]) => {
  scene.write('questions.txt', `${questions.join('\n')}\n`)
  const { stdout, stderr } = await scene.run('find', '--queries', 'questions.txt', '-k', '1')
  expect(stderr).toBe('')
  return stdout
    .trimEnd()
    .split('\n')
    .map(line => {
      const { query, hits } = JSON.parse(line) as { query: string; hits: Hit[] }
      const { symbol, symbols, symbolProvenance, message } = hits[0]!
      expect(message).toBe(query)
      return { query, symbol, symbols, symbolProvenance }
    })
}

const exactly = (query: string, ...symbols: string[]) => ({
  query,
  symbol: symbols[0] ?? null,
  symbols,
  symbolProvenance: 'exact',
})

const body = (indent: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${indent}step_${index} = ${index}\n`).join('')

const PYTHON = `import os\n\n\ndef before():\n${body('    ', 12)}\n\n@cached\n@traced(level=1)\ndef decorated(value):\n    return value\n\n\nclass Basket:\n    """Holds things."""\n\n    limit = 3\n\n    def first(self):\n${body('        ', 12)}\n    def second(self):\n${body('        ', 12)}        return 2\n`

describe('the names that a hunk touches', () => {
  story('are those of that version of the file, whatever the line behind @@ says', async scene => {
    const repository = repositoryIn(scene)
    repository.commit('Begin', { 'basket.py': PYTHON })
    const change = (message: string, from: string, to: string) => {
      current = current.replace(from, to)
      repository.commit(message, { 'basket.py': current })
    }
    let current = PYTHON
    // Git names the function above in each of these.
    change('Trace the decorated one harder', 'level=1', 'level=2')
    change('Allow a larger basket', 'limit = 3', 'limit = 4')
    change('Return three from the second', 'return 2', 'return 3')
    change('Import one more module', 'import os\n', 'import os\nimport sys\n')
    change(
      'Insert a newcomer between the functions',
      '\n@cached',
      '\ndef newcomer():\n    return 1\n\n\n@cached',
    )
    change('Drop the newcomer again', 'def newcomer():\n    return 1\n\n\n', '')
    change('Remove a step of the first', '        step_5 = 5\n', '')
    // The file has changed since: what counts is how it was.
    change('Shift everything far down', 'import os\n', `import os\n${body('', 40)}`)
    await indexHistory(scene)
    const expected = [
      exactly('Trace the decorated one harder', 'decorated'),
      exactly('Allow a larger basket', 'Basket'),
      exactly('Return three from the second', 'Basket.second'),
      exactly('Import one more module'),
      exactly('Insert a newcomer between the functions', 'newcomer'),
      exactly('Drop the newcomer again', 'newcomer'),
      exactly('Remove a step of the first', 'Basket.first'),
    ]
    expect(await touched(scene, ...expected.map(({ query }) => query))).toEqual(expected)
  })

  story('in other languages, in renamed and deleted files, and below the root', async scene => {
    const repository = repositoryIn(scene)
    const steps = Array.from({ length: 10 }, (_, index) => `    this.step${index}()`).join('\n')
    const script = (value: number) =>
      `export class Cart {\n  add(item: string) {\n${steps}\n  }\n\n  /** Counts. */\n  count(): number {\n    return ${value}\n  }\n}\n`
    repository.commit('Begin the cart', { 'pack/src/cart.ts': script(1) })
    repository.git('mv', 'pack/src/cart.ts', 'pack/src/trolley.ts')
    repository.commit('Rename the cart and count two', { 'pack/src/trolley.ts': script(2) })
    repository.git('rm', '--quiet', 'pack/src/trolley.ts')
    repository.commit('Delete the trolley', { 'pack/notes.xyz': 'nothing that can be parsed\n' })
    await indexHistory(scene)
    const renaming = 'Rename the cart and count two'
    expect(await touched(scene, renaming, 'Delete the trolley')).toMatchObject([
      exactly(renaming, 'Cart.count'),
      { symbolProvenance: 'exact' },
    ])
    const cwd = `${scene.repo}/pack`
    const { stdout } = await scene.runWith({ cwd }, 'find', '--json', renaming, '-k', '1')
    expect(JSON.parse(stdout).hits[0]).toMatchObject({
      path: 'src/trolley.ts',
      symbols: ['Cart.count'],
      symbolProvenance: 'exact',
    })
  })

  story('of a file too large to be parsed cost those beside it nothing', async scene => {
    const repository = repositoryIn(scene)
    const huge = (value: number) =>
      `def enormous():\n    return ${value}\n${'# filling the file up to its size\n'.repeat(45_000)}`
    repository.commit('Begin', { 'huge.py': huge(1), 'small.py': 'def tiny():\n    return 1\n' })
    repository.commit('Enlarge the enormous answer', { 'huge.py': huge(2) })
    repository.commit('Enlarge the tiny answer', { 'small.py': 'def tiny():\n    return 2\n' })
    await indexHistory(scene)
    expect(await touched(scene, 'Enlarge the enormous answer', 'Enlarge the tiny answer')).toMatchObject([
      { symbolProvenance: 'inferred' },
      exactly('Enlarge the tiny answer', 'tiny'),
    ])
    const both = await scene.run('find', 'Enlarge the answer', '-k', '2', '--json')
    const { hits } = JSON.parse(both.stdout) as { hits: Hit[] }
    const named = hits.map(({ message, symbolProvenance }) => [message, symbolProvenance])
    expect(new Map(named as [string, string][])).toEqual(
      new Map([
        ['Enlarge the enormous answer', 'inferred'],
        ['Enlarge the tiny answer', 'exact'],
      ]),
    )
  })

  story('are inferred where no parse tells', async scene => {
    const repository = repositoryIn(scene)
    repository.commit('Write down a plain list', { 'list.xyz': 'one\n' })
    repository.commit('A name with a line end', { 'odd\nname.py': 'def inner():\n    return 1\n' })
    const lost = repository.commit('A file that is lost', { 'lost.py': 'def kept():\n    return 1\n' })
    await indexHistory(scene)
    const blob = repository.git('rev-parse', `${lost}:lost.py`)
    rmSync(`${repository.gitDirectory}/objects/${blob.slice(0, 2)}/${blob.slice(2)}`)
    const questions = ['Write down a plain list', 'A name with a line end', 'A file that is lost']
    expect(await touched(scene, ...questions)).toMatchObject([
      { symbolProvenance: 'inferred', symbol: null },
      { symbolProvenance: 'inferred', symbol: 'inner' },
      { symbolProvenance: 'inferred', symbol: 'kept' },
    ])
  })
})
