import { describe, expect } from 'vitest'
import { find, indexHistory, repositoryIn } from './history-scene.js'
import { story } from './story.js'

const text = (word: string): string =>
  Array.from({ length: 12 }, (_, line) => `export const ${word}${line} = ${line}\n`).join('')

describe('a file that is only moved', () => {
  story('is found by both of its paths, and explain follows it', async scene => {
    const repository = repositoryIn(scene)
    const begun = repository.commit('Begin', {
      'lib/parser.ts': text('parse'),
      'lib/other.ts': text('other'),
    })
    repository.commit('Something else', { 'lib/other.ts': text('changed') })
    repository.git('mv', 'lib/parser.ts', 'lib/reader.ts')
    const moved = repository.commit('Rename the parser')
    repository.git('mv', 'lib/other.ts', 'lib/another.ts')
    const both = repository.commit('Move and adjust', {
      'lib/reader.ts': text('parse').replace('= 3\n', '= 33\n'),
    })
    await indexHistory(scene)

    const [first] = (await find(scene, 'rename the parser', '-k', '1')).hits
    expect(first).toMatchObject({
      ...{ commit: moved, path: 'lib/reader.ts', oldPath: 'lib/parser.ts', change: 'renamed', hunks: 1 },
      text: 'rename from lib/parser.ts\nrename to lib/reader.ts',
    })
    for (const path of ['lib/parser.ts', 'lib/reader.ts']) {
      const { hits } = await find(scene, 'parser', '--path', path)
      expect([path, hits.map(hit => hit.commit)]).toEqual([path, expect.arrayContaining([moved])])
    }
    // What was changed is shown before what was only moved, unless that is asked for.
    expect((await find(scene, 'move and adjust', '-k', '1')).hits[0]).toMatchObject({
      commit: both,
      path: 'lib/reader.ts',
    })
    const { hits } = await find(scene, 'move and adjust', '--path', 'lib/another.ts')
    expect(hits[0]).toMatchObject({ commit: both, path: 'lib/another.ts', change: 'renamed' })

    expect((await scene.run('find', 'rename the parser', '-k', '1')).stdout).toContain(
      'rename from lib/parser.ts',
    )
    const { stdout } = await scene.run('explain', 'lib/reader.ts:1-2', '--json')
    expect(JSON.parse(stdout).exact[0]).toMatchObject({ commit: begun, path: 'lib/parser.ts' })
    const gone = JSON.parse((await scene.run('explain', 'lib/parser.ts', '--json')).stdout)
    expect(gone.exact[0]).toMatchObject({ commit: moved, role: 'moved' })
  })
})
