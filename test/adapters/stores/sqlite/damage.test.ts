/** FAULTS 7 and 42: whatever happened to the file, it is noticed, named, and never deleted. */

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { dump } from '../../../../dist/adapters/stores/sqlite/index.js'
import { plainScoring, sampleDocument, sampleVectors, unit } from '../../../../dist/testing/index.js'
import { randomNumbers } from './processes.js'
import { execute, indexFile } from './raw.js'
import { IDENTITY, scratchDirectory, storeIn } from './scratch.js'

const WORDS = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu'.split(' ')
const EVERYWHERE = plainScoring({ body: 1, header: 1, path: 1, symbols: 1 })

const textOf = (document: number, chunk: number): string =>
  `${Array.from({ length: 20 }, (_, at) => WORDS[(document * 7 + chunk * 3 + at * at) % 12]).join(' ')} d${document}c${chunk}`

const buildIndex = async (directory: string): Promise<void> => {
  const writer = await storeIn(directory).openWriter(IDENTITY)
  const vectors: Record<string, number[]> = {}
  for (let document = 0; document < 24; document++) {
    const chunks = [0, 1, 2].map(chunk => {
      const text = textOf(document, chunk)
      vectors[text] = Array.from({ length: 32 }, (_, at) => Math.sin(document * 31 + chunk * 7 + at))
      const symbols = [{ name: `f${document}`, kind: 'function', qualifiedName: `M.f${document}`, line: 3 }]
      return {
        text,
        symbols,
        tokens: { path: `p${document}`, symbols: `f${document}`, header: `h${document}` },
      }
    })
    await writer.commit([sampleDocument(`src/${document}.ts`, chunks)], [])
  }
  await writer.saveVectors(sampleVectors('m', vectors))
  await writer.remove('code', ['src/3.ts', 'src/9.ts'])
  await writer.recordSkipped('code', [{ path: 'x.png', reason: 'binary', detail: 'NUL', stamp: '1' }])
  await writer.finish(1_700_000_000_000)
  await writer.close()
}

/** Everything the port tells about this index. */
const viewOf = async (directory: string): Promise<string> => {
  const reader = await storeIn(directory).openReader()
  const view: unknown[] = [
    await dump(directory),
    [...(await reader.known('code'))],
    await reader.skipped(),
    await reader.state(),
  ]
  for (const token of [...WORDS, 'f7', 'h8', 'p11', 'd4c1']) {
    view.push(await reader.matchTerms([{ token, weight: 1 }], EVERYWHERE, {}, 100))
  }
  for (let angle = 0; angle < 4; angle++) {
    view.push(
      await reader.nearest('m', unit(Array.from({ length: 32 }, (_, at) => Math.cos(angle + at))), {}, 100),
    )
  }
  await reader.close()
  return JSON.stringify(view)
}

describe('a damaged index', () => {
  it('gives itself away: of 100 flipped bits each is found by the deep check or changes nothing', async () => {
    const directory = join(scratchDirectory(), 'index')
    await buildIndex(directory)
    const whole = await viewOf(directory)
    const store = storeIn(directory)
    expect(await store.check(true)).toEqual([])
    // Reading the file drops the locks of this process on it, but nobody else is using it.
    const bytes = readFileSync(indexFile(directory))
    const random = randomNumbers(1)
    let found = 0
    const missed: string[] = []
    for (let round = 0; round < 100; round++) {
      await store.purge()
      const flipped = Buffer.from(bytes)
      const at = Math.floor(random() * bytes.length)
      flipped[at]! ^= 1 << Math.floor(random() * 8)
      writeFileSync(indexFile(directory), flipped)
      const faults = await store.check(true)
      if (faults.length > 0) found++
      else if ((await viewOf(directory)) !== whole) missed.push(`byte ${at}`)
    }
    expect(missed).toEqual([])
    expect(found).toBeGreaterThan(20)
  }, 120_000)

  it('is noticed in every table and in the full-text index', async () => {
    const damages = [
      "UPDATE texts SET text = replace(text, 'alpha', 'alphb') WHERE chunk = 1",
      'UPDATE texts SET start_line = 99 WHERE chunk = 1',
      "UPDATE documents SET stamp = 'x' WHERE id = 1",
      'UPDATE chunks SET lengths = lengths + 1 WHERE id = 1',
      "UPDATE embeddings SET hash = 'x' WHERE id = 1",
      'UPDATE embedders SET dimensions = 31',
      'UPDATE embedded SET usable = 0 WHERE embedding = 1',
      'UPDATE vector_blocks SET vectors = zeroblob(length(vectors))',
      'UPDATE vector_blocks SET scales = zeroblob(4)',
      'DELETE FROM embedded WHERE embedding = 2',
      "UPDATE skipped SET reason = 'empty'",
      "UPDATE state SET chunker = 'x'",
      "INSERT INTO words (rowid, postings) VALUES (1000, 'ghost:1a')",
      'DELETE FROM words WHERE rowid = 1',
      "DELETE FROM words WHERE rowid = 2; INSERT INTO words (rowid, postings) VALUES (2, 'wrong:1a')",
      'PRAGMA foreign_keys = OFF; DELETE FROM texts WHERE chunk = 1',
      'PRAGMA foreign_keys = OFF; DELETE FROM documents WHERE id = 1',
      'CREATE TABLE stranger (id)',
      'DROP INDEX texts_by_digest',
    ]
    for (const damage of damages) {
      const directory = join(scratchDirectory(), 'index')
      await buildIndex(directory)
      execute(directory, damage)
      expect([damage, (await storeIn(directory).check(true)).length > 0]).toEqual([damage, true])
    }
  }, 120_000)

  it('is noticed by the quick check where counts disagree', async () => {
    for (const damage of [
      'PRAGMA foreign_keys = OFF; DELETE FROM texts WHERE chunk = 1',
      'DELETE FROM words WHERE rowid = 1',
      'PRAGMA foreign_keys = OFF; DELETE FROM documents WHERE id = 1',
    ]) {
      const directory = join(scratchDirectory(), 'index')
      await buildIndex(directory)
      execute(directory, damage)
      expect((await storeIn(directory).check(false)).length).toBeGreaterThan(0)
    }
  })
})

describe('a file that is no index', () => {
  const hash = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

  const expectRefusal = async (directory: string, code: string, hint: string): Promise<void> => {
    const before = hash(indexFile(directory))
    const store = storeIn(directory)
    await expect(store.openReader()).rejects.toMatchObject({ code, hint })
    await expect(store.openWriter(IDENTITY)).rejects.toMatchObject({ code, hint })
    expect(hash(indexFile(directory))).toBe(before)
  }

  it.each([
    ['is empty', ''],
    ['is a text', 'this is not a database '.repeat(500)],
    ['is too short for anything', 'SQLite format 3\u0000'],
  ])('%s', async (_, content) => {
    const directory = join(scratchDirectory(), 'index')
    mkdirSync(directory, { recursive: true })
    writeFileSync(indexFile(directory), content)
    await expectRefusal(directory, 'INDEX_DAMAGED', 'quarry index --rebuild')
    expect((await storeIn(directory).check(false)).length).toBe(1)
  })

  it("is another program's database", async () => {
    const directory = join(scratchDirectory(), 'index')
    mkdirSync(directory, { recursive: true })
    const connection = new DatabaseSync(indexFile(directory))
    connection.exec('CREATE TABLE bookmarks (url)')
    connection.close()
    await expectRefusal(directory, 'INDEX_DAMAGED', 'quarry index --rebuild')
  })

  it.each([0.95, 0.5, 0.1, 0.03])('is an index cut off at %s of its length', async share => {
    const directory = join(scratchDirectory(), 'index')
    await buildIndex(directory)
    await storeIn(directory).purge()
    await buildIndex(directory)
    const bytes = readFileSync(indexFile(directory))
    await storeIn(directory).purge()
    writeFileSync(indexFile(directory), bytes)
    truncateSync(indexFile(directory), Math.floor(bytes.length * share))
    await expectRefusal(directory, 'INDEX_DAMAGED', 'quarry index --rebuild')
  })

  it('is an index of a newer Quarry', async () => {
    const directory = join(scratchDirectory(), 'index')
    await buildIndex(directory)
    execute(directory, 'PRAGMA user_version = 99')
    await expect(storeIn(directory).openReader()).rejects.toMatchObject({ code: 'INDEX_TOO_NEW' })
    await expect(storeIn(directory).openWriter(IDENTITY)).rejects.toMatchObject({ code: 'INDEX_TOO_NEW' })
    execute(directory, 'PRAGMA user_version = 2')
    expect(await storeIn(directory).check(true)).toEqual([])
  })

  it('is an index of an older Quarry', async () => {
    const directory = join(scratchDirectory(), 'index')
    await buildIndex(directory)
    execute(directory, 'PRAGMA user_version = 0')
    const refusal = { code: 'INDEX_OUTDATED', hint: 'quarry index --rebuild' }
    await expect(storeIn(directory).openReader()).rejects.toMatchObject(refusal)
    await expect(storeIn(directory).openWriter(IDENTITY)).rejects.toMatchObject(refusal)
  })

  it('can be thrown away, whatever it is, and built again', async () => {
    const directory = join(scratchDirectory(), 'index')
    mkdirSync(directory, { recursive: true })
    writeFileSync(indexFile(directory), 'rubbish')
    writeFileSync(`${indexFile(directory)}-wal`, 'rubbish')
    await storeIn(directory).purge()
    await buildIndex(directory)
    expect(await storeIn(directory).check(true)).toEqual([])
  })
})
