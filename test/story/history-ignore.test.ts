import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { FixtureRepository } from '../fixtures/git-repository.js'
import { expectedCommits, find, indexedCommits, indexHistory, repositoryIn } from './history-scene.js'
import { type Scene, story } from './story.js'

/** A word in a file, each in a commit of its own. */
const PLACES = {
  tusk: 'src/walrus.ts',
  pelican: 'docs/manual.md',
  ostrich: 'docs/keep/map.md',
  flamingo: 'build/out.txt',
  heron: 'lib/data.generated.ts',
  crane: 'vendor/own/crane.ts',
  albatross: 'vendor/own/key.pem',
}
const COMMITS = Object.keys(PLACES).length

const scattered = (scene: Scene): FixtureRepository => {
  const repository = repositoryIn(scene)
  for (const [word, path] of Object.entries(PLACES))
    repository.commit(`Add a bird or so`, { [path]: `${word}\n` })
  // Ignored by git now, and committed before.
  scene.write('.gitignore', 'build/\n')
  return repository
}

/** The words that the index shows. Brings it up to date. */
const heldWords = async (scene: Scene): Promise<string[]> => {
  const { hits } = await find(scene, 'add a bird', '-k', '20', '--max-per-file', '0')
  expect(hits).toHaveLength(COMMITS)
  return Object.entries(PLACES)
    .filter(([word, path]) => hits.some(hit => hit.path === path && hit.text.includes(word)))
    .map(([word]) => word)
}

describe('what is ignored is left out of the history', () => {
  story('.quarryignore and index.ignore, never .gitignore; a change of the rules cuts again', async scene => {
    const repository = scattered(scene)
    await indexHistory(scene)
    expect(await heldWords(scene)).toEqual(['tusk', 'pelican', 'ostrich', 'flamingo'])

    scene.write('.quarryignore', 'docs/*\n!docs/keep/\n')
    expect(await heldWords(scene)).toEqual(['tusk', 'ostrich', 'flamingo'])
    // The commit stays, by what it says.
    expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))
    expect((await indexHistory(scene)).history).toMatchObject({ added: 0, changed: 0, unchanged: COMMITS })
    scene.write('.quarry.toml', 'index.ignore = ["src/"]\n')
    expect((await indexHistory(scene)).history).toMatchObject({ added: 0, changed: COMMITS, removed: 0 })
    expect(await heldWords(scene)).toEqual(['ostrich', 'flamingo'])
    expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))

    rmSync(join(scene.repo, '.quarryignore'))
    rmSync(join(scene.repo, '.quarry.toml'))
    expect(JSON.parse((await scene.run('status', '--json')).stdout).history).toMatchObject({
      missing: COMMITS,
      gone: 0,
    })
    expect((await indexHistory(scene)).history).toMatchObject({ changed: COMMITS })
    expect(await heldWords(scene)).toEqual(['tusk', 'pelican', 'ostrich', 'flamingo'])
  })

  story('index.include takes what looks generated or vendored, never a secret', async scene => {
    scattered(scene)
    const plain = ['tusk', 'pelican', 'ostrich', 'flamingo']
    expect(await heldWords(scene)).toEqual(plain)
    scene.write('.quarry.toml', 'index.include = ["*.generated.ts", "vendor/own/"]\n')
    expect(await heldWords(scene)).toEqual([...plain, 'heron', 'crane'])
  })

  story('a directory below the root of the repository hears the rules above it', async scene => {
    const repository = repositoryIn(scene)
    repository.commit('Two packages', {
      'packages/one/a.ts': 'export const walrus = 1\n',
      'packages/one/secretive/b.ts': 'export const pelican = 1\n',
      'packages/two/a.ts': 'export const ostrich = 1\n',
    })
    scene.write('.quarryignore', '/packages/one/secretive/\n')
    const cwd = join(scene.repo, 'packages/one')
    const { stdout } = await scene.runWith({ cwd }, 'find', '--json', 'walrus pelican packages')
    expect(JSON.parse(stdout).hits.map((hit: { path: string }) => hit.path)).toEqual(['a.ts'])
    expect(stdout).not.toContain('pelican = 1')
  })
})
