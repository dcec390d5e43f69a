import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replaceSection, updateSection } from '../../../build/bench/report/document.js'
import { appendResult, commandLine, readResults } from '../../../build/bench/report/result-line.js'
import { table } from '../../../dist/measuring/report/table.js'
import { fixtureRepository, temporaryDirectory, writeTree } from '../fixture-repository.js'

const measured = {
  name: 'ablation',
  command: commandLine(['ablation', '--data', '/srv/data', '--seed=3']),
  dataHash: 'abc',
  config: { lanes: ['text', 'symbol'], rrfK: 60 },
  metrics: { 'nDCG@10': 0.8765 },
  n: 398,
}

describe('result lines', () => {
  it('carry commit, machine and date, and come back as they were written', async () => {
    const repository = fixtureRepository(temporaryDirectory())
    writeTree(repository.work, { 'a.ts': 'a' })
    const head = repository.commit('2020-01-01T00:00:00Z')
    const results = join(repository.work, 'bench/results')

    const first = await appendResult(repository.work, results, measured)
    expect(first).toMatchObject({ ...measured, commit: head })
    expect(first.machine.cores).toBeGreaterThan(0)
    expect(first.machine.node).toBe(process.version)
    expect(Math.abs(Date.parse(first.date) - Date.now())).toBeLessThan(60_000)

    // The line that was just written does not make the next one dirty; a changed source file does.
    const second = await appendResult(repository.work, results, measured)
    writeTree(repository.work, { 'a.ts': 'changed' })
    const third = await appendResult(repository.work, results, measured)
    expect([second.commit, third.commit]).toEqual([head, `${head}-dirty`])
    expect(await readResults(results, 'ablation')).toEqual([first, second, third])
  })

  it('name neither host nor directory', async () => {
    const repository = fixtureRepository(temporaryDirectory())
    repository.commit('2020-01-01T00:00:00Z')
    const results = join(repository.work, 'bench/results')
    await appendResult(repository.work, results, measured)
    const { machine, command } = (await readResults(results, 'ablation'))[0]!
    expect(command).toBe('npm run bench -- ablation --data … --seed=3')
    expect(Object.keys(machine).sort()).toEqual(['cores', 'cpu', 'memoryGB', 'node'])
    expect(Object.values(machine)).not.toContain(hostname())
    expect(readFileSync(join(results, 'ablation.jsonl'), 'utf8')).not.toContain(repository.work)
  })

  it('hide every spelling of a local path in a command', () => {
    expect(commandLine(['--data=/x/y', '~/data', 'C:\\data', 'a/b', '--k=10'])).toBe(
      'npm run bench -- --data=… … … a/b --k=10',
    )
  })

  it('are none when nothing was measured, and an error when a line is damaged', async () => {
    const results = temporaryDirectory()
    expect(await readResults(results, 'nothing')).toEqual([])
    writeFileSync(join(results, 'bad.jsonl'), '{"name":"bad"}\n')
    await expect(readResults(results, 'bad')).rejects.toThrow(/command/)
  })

  it('refuse a figure that is no number', async () => {
    const repository = fixtureRepository(temporaryDirectory())
    repository.commit('2020-01-01T00:00:00Z')
    const results = join(repository.work, 'bench/results')
    await expect(
      appendResult(repository.work, results, { ...measured, metrics: { ndcg: Number.NaN } }),
    ).rejects.toThrow(/metrics|ndcg/)
    expect(await readResults(results, 'ablation')).toEqual([])
  })
})

describe('table', () => {
  it('aligns text left, numbers right, and shows a dash for what is missing', () => {
    const rows = [
      { lane: 'text|symbol', score: 0.8768, n: 398 },
      { lane: 'all', score: undefined, n: 4 },
    ]
    const text = table(rows, [
      { title: 'lane', value: row => row.lane },
      { title: 'nDCG@10', value: row => row.score, digits: 3 },
      { title: 'n', value: row => row.n },
    ])
    expect(text.split('\n')).toEqual([
      '| lane         | nDCG@10 |   n |',
      '| ------------ | ------: | --: |',
      '| text\\|symbol |   0.877 | 398 |',
      '| all          |       – |   4 |',
    ])
  })
})

describe('sections of a document', () => {
  const document =
    '# Title\n\n<!-- bench:a -->\nold\n<!-- /bench:a -->\n\nText\n<!-- bench:b --><!-- /bench:b -->\n'

  it('are replaced one at a time, and the same content changes nothing', () => {
    const once = replaceSection(document, 'a', '| x |\n')
    expect(once).toBe(document.replace('old', '| x |'))
    expect(replaceSection(once, 'a', '| x |')).toBe(once)
    expect(replaceSection(document, 'b', '$& kept as it is')).toContain(
      '<!-- bench:b -->\n$& kept as it is\n<!-- /bench:b -->\n',
    )
  })

  it('must be there, closed, and only once', () => {
    expect(() => replaceSection(document, 'c', '')).toThrow('<!-- bench:c -->')
    expect(() => replaceSection('<!-- /bench:a --><!-- bench:a -->', 'a', '')).toThrow('bench:a')
    expect(() => replaceSection(document + document, 'a', '')).toThrow('more than once')
  })

  it('are updated in the file, which is left alone when nothing changed', async () => {
    const path = join(temporaryDirectory(), 'README.md')
    writeFileSync(path, document)
    expect(await updateSection(path, 'a', 'new')).toBe(true)
    expect(readFileSync(path, 'utf8')).toBe(document.replace('old', 'new'))
    expect(await updateSection(path, 'a', 'new')).toBe(false)
  })
})
