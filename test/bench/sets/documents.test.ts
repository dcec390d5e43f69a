import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadCosqa, loadScifact } from '../../../build/bench/sets/documents.js'
import { halfOf } from '../../../build/bench/sets/halves.js'
import { findPlaces } from '../../../build/bench/sets/places.js'
import { temporaryDirectory, writeTree } from '../fixture-repository.js'

const withData = () => {
  const base = temporaryDirectory()
  const data = join(base, 'data')
  writeTree(data, {
    'cosqa/corpus.jsonl':
      '{"_id":"0","title":"","text":"def a(): pass"}\n{"_id":"1","title":"","text":"def b(): pass"}\n',
    'cosqa/queries.jsonl': '{"_id":"q1","text":"call b"}\n{"_id":"unjudged","text":"nothing"}\n',
    'cosqa/qrels/dev.tsv': 'query-id\tcorpus-id\tscore\nq1\t1\t1\nq1\t0\t0\n',
    'scifact/corpus.jsonl': '{"_id":"7","title":"On cells","text":"They divide."}\n',
    'scifact/queries.jsonl': '{"_id":"1","text":"cells divide"}\n{"_id":"2","text":"cells multiply"}\n',
    'scifact/qrels/train.tsv': 'query-id\tcorpus-id\tscore\n1\t7\t1\n',
    'scifact/qrels/test.tsv': 'query-id\tcorpus-id\tscore\r\n2\t7\t1\r\n2\t8\t1\r\n',
  })
  return { data, scratch: join(base, 'scratch') }
}

it('cosqa writes one function a file and keeps the judged queries', async () => {
  const { data, scratch } = withData()
  const set = await loadCosqa({ data })
  const [corpus] = set.corpora
  expect(set.name).toBe('cosqa-dev')
  expect(corpus!.queries).toEqual([
    { id: 'q1', text: 'call b', category: 'cosqa', targets: [{ path: '1.py', grade: 1 }] },
  ])
  const directory = await corpus!.prepare(scratch)
  expect(readdirSync(directory).sort()).toEqual(['0.py', '1.py'])
  expect(readFileSync(join(directory, '1.py'), 'utf8')).toBe('def b(): pass')
})

it('scifact has two sets over the same documents, written once', async () => {
  const { data, scratch } = withData()
  const train = await loadScifact({ data }, 'train')
  const test = await loadScifact({ data }, 'test')
  expect([train.name, test.name]).toEqual(['scifact-train', 'scifact-test'])
  expect(train.hash).not.toBe(test.hash)
  expect(train.corpora[0]!.queries.map(({ id }) => id)).toEqual(['1'])
  expect(test.corpora[0]!.queries.map(({ id }) => id)).toEqual(['2'])
  const directory = await train.corpora[0]!.prepare(scratch)
  expect(readFileSync(join(directory, '7.txt'), 'utf8')).toBe('On cells\n\nThey divide.')
  const before = statSync(join(directory, '7.txt')).ctimeMs
  expect(await test.corpora[0]!.prepare(scratch)).toBe(directory)
  expect(statSync(join(directory, '7.txt')).ctimeMs).toBe(before)
})

it('counts judged documents that the corpus lacks', async () => {
  const { data } = withData()
  expect((await loadScifact({ data }, 'test')).leftOut).toEqual([
    { id: '2', reason: 'document 8 is not in the corpus' },
  ])
})

it('writes the documents again when the data changed or a run was cut short', async () => {
  const { data, scratch } = withData()
  const directory = await (await loadCosqa({ data })).corpora[0]!.prepare(scratch)
  writeTree(data, { 'cosqa/corpus.jsonl': '{"_id":"1","title":"","text":"def c(): pass"}\n' })
  await (await loadCosqa({ data })).corpora[0]!.prepare(scratch)
  expect(readdirSync(directory)).toEqual(['1.py'])
  rmSync(`${directory}.hash`)
  writeTree(directory, { 'stray.py': '' })
  await (await loadCosqa({ data })).corpora[0]!.prepare(scratch)
  expect(readdirSync(directory)).toEqual(['1.py'])
})

it('a document whose name leads elsewhere gets another one; a line that is no JSON is named', async () => {
  const { data, scratch } = withData()
  writeTree(data, { 'cosqa/corpus.jsonl': '{"_id":"1","text":""}\n\n{"_id":"../x","text":""}\n' })
  const directory = await (await loadCosqa({ data })).corpora[0]!.prepare(scratch)
  expect(readdirSync(directory).sort()).toEqual(['1.py', expect.stringMatching(/^id-[0-9a-f]{24}\.py$/)])
  writeTree(data, { 'cosqa/corpus.jsonl': '{"_id":"0","text":""}\n\nnot json\n' })
  await expect(loadCosqa({ data })).rejects.toThrow('corpus.jsonl:3 is not JSON')
})

it('findPlaces: the option wins over the environment, and a missing directory says what to do', () => {
  const { data, scratch } = withData()
  writeTree(scratch, { 'x.txt': '' })
  expect(findPlaces({ data }, { QUARRY_BENCH_DATA: scratch })).toEqual({ data })
  expect(findPlaces({}, { QUARRY_BENCH_DATA: scratch, QUARRY_BENCH_MIRRORS: data })).toEqual({
    data: scratch,
    mirrors: data,
  })
  expect(() => findPlaces({ data: join(data, 'nowhere') }, {})).toThrow('QUARRY_BENCH_DATA')
})

it('halfOf puts a repository on the same side in every set', () => {
  expect(halfOf('psf/requests')).toBe(halfOf('requests'))
  expect(halfOf('chartjs/Chart.js')).toBe(halfOf('chart.js'))
  // Which side decides what may be learned from: it must never change unseen.
  expect(['requests', 'zod', 'libuv', 'serde'].map(halfOf)).toEqual(['tune', 'tune', 'report', 'report'])
})
