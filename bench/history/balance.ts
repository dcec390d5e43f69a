/**
 * `npm run bench -- balance`: how often is a hit right, by kind, score and rank? Questions about code (the code-search set) and
 * about changes (titles of issues) are asked of code and history both; a logistic curve for each kind is written to
 * `src/ranking/kind-chances.ts`. Half of the repositories fit the curves that the other half is judged by.
 */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Hit, openQuarry, type Quarry } from '#dist/index.js'
import { balanceKinds, type KindChances, moodOf } from '#dist/ranking/balance-kinds.js'
import { recordResult } from '../report/result-line.js'
import { checkout } from '../sets/checkout.js'
import { loadSets } from '../sets/load-sets.js'
import { findPlaces, repositoryRoot } from '../sets/places.js'
import { findRepository } from '../sets/repository.js'
import { loadCommitSet } from './commits-set.js'
import { fitLogistic } from './fit-logistic.js'

interface Judged {
  readonly set: 'code' | 'changes'
  readonly repository: string
  readonly question: string
  readonly lists: readonly (readonly (Hit & { readonly isRight: boolean })[])[]
}

const LIMIT = 10
const MOST_COMMITS = 5_000
/** Titles alone, as people ask; few of each repository, so that none decides. */
const QUESTIONS_OF_A_REPOSITORY = 20

export const measureBalance = async (scratch: string): Promise<void> => {
  const judged = [...(await codeQuestions(scratch)), ...(await changeQuestions(scratch))]
  const names = [...new Set(judged.map(({ repository }) => repository))].sort()
  const isEven = ({ repository }: Judged) => names.indexOf(repository) % 2 === 0
  const even = fitCurves(judged.filter(isEven))
  const odd = fitCurves(judged.filter(row => !isEven(row)))
  for (const set of ['code', 'changes'] as const) {
    const own = judged.filter(row => row.set === set)
    const kind = set === 'code' ? 'code' : 'hunk'
    const alone = (row: Judged) => row.lists.flat().filter(hit => hit.kind === kind)
    const metrics = {
      'MRR alone': mean(own.map(row => reciprocal(alone(row)))),
      'MRR in one ranking': mean(
        own.map(row =>
          reciprocal(balanceKinds(row.lists, row.question, { chances: isEven(row) ? odd : even })),
        ),
      ),
      'MRR taking turns': mean(own.map(row => reciprocal(turns(row.lists)))),
      'Hit@5 alone': mean(own.map(row => hitAt(5, alone(row)))),
      'Hit@5 in one ranking': mean(
        own.map(row =>
          hitAt(5, balanceKinds(row.lists, row.question, { chances: isEven(row) ? odd : even })),
        ),
      ),
    }
    console.log(set, own.length, JSON.stringify(metrics))
    await recordResult({
      ...{ name: 'balance', dataHash: 'code-search and issues' },
      ...{ config: { set }, metrics, n: own.length },
    })
  }
  await writeFile(join(repositoryRoot, 'src/ranking/kind-chances.ts'), render(fitCurves(judged)))
}

const codeQuestions = async (scratch: string): Promise<Judged[]> => {
  const [set] = await loadSets(['code-search'], findPlaces(), scratch)
  const judged: Judged[] = []
  for (const corpus of set!.corpora) {
    const code = await openAt(await corpus.prepare(scratch), scratch)
    await code.index({ stage: 'first', history: false })
    const past = await openAt(await corpus.gitDirectory!(scratch), scratch)
    await past.index({ stage: 'first', history: { refs: ['HEAD'], maxCommits: MOST_COMMITS } })
    for (const query of corpus.queries) {
      const found = await askBoth(code, past, query.text)
      const isRight = (hit: Hit) =>
        hit.kind === 'code' && query.targets.some(target => corpus.matches(hit, target))
      judged.push(judge('code', corpus.repository, query.text, found, isRight))
    }
    await Promise.all([code.close(), past.close()])
  }
  return judged
}

const changeQuestions = async (scratch: string): Promise<Judged[]> => {
  const places = findPlaces()
  const judged: Judged[] = []
  for (const { repository, directory, head, questions } of (await loadCommitSet(places, scratch)).corpora) {
    const gitDirectory = await findRepository(
      { slug: repository, url: `https://github.com/${repository}.git` },
      places,
      scratch,
    )
    const work = join(scratch, 'balance', repository.replace('/', '+'))
    await checkout(gitDirectory, work, head)
    const code = await openAt(work, scratch)
    await code.index({ stage: 'first', history: false })
    const past = await openAt(directory, scratch)
    await past.index({ stage: 'first', history: { refs: [head] } })
    for (const { text, commits, files } of questions.slice(0, QUESTIONS_OF_A_REPOSITORY)) {
      const title = text.split('\n', 1)[0]!
      const found = await askBoth(code, past, title)
      const isRight = (hit: Hit) => (hit.kind === 'hunk' ? commits.has(hit.commit!) : files.has(hit.path))
      judged.push(judge('changes', repository, title, found, isRight))
    }
    await Promise.all([code.close(), past.close()])
  }
  return judged
}

const openAt = (root: string, scratch: string): Promise<Quarry> =>
  openQuarry({
    ...{ root, trust: true, overrides: { 'embedding.models': [] } },
    environment: { ...process.env, QUARRY_HOME: join(scratch, 'balance-home') },
  })

const askBoth = async (
  code: Quarry,
  past: Quarry,
  question: string,
): Promise<readonly (readonly Hit[])[]> => [
  (await code.search(question, { limit: LIMIT, refresh: 'never' })).hits,
  (await past.find(question, { limit: LIMIT, refresh: 'never' })).hits,
]

const judge = (
  set: Judged['set'],
  repository: string,
  question: string,
  lists: readonly (readonly Hit[])[],
  isRight: (hit: Hit) => boolean,
): Judged => ({
  ...{ set, repository, question },
  lists: lists.map(list => list.map(hit => ({ ...hit, isRight: isRight(hit) }))),
})

const fitCurves = (rows: readonly Judged[]): KindChances => {
  const chances = (mood: 'trouble' | 'present') => {
    const own = rows.filter(({ question }) => (moodOf(question) === 'present') === (mood === 'present'))
    const curve = (kind: Hit['kind']) => {
      const hits = own.flatMap(({ lists }) =>
        lists.flatMap(list => list.map((hit, at) => ({ hit, rank: at + 1 }))),
      )
      const examples = hits.filter(({ hit }) => hit.kind === kind)
      const [base, byScore, byRank] = fitLogistic(
        examples.map(({ hit, rank }) => [1, hit.score, Math.log(rank)]),
        examples.map(({ hit }) => (hit.isRight ? 1 : 0)),
      )
      return { base: base!, byScore: byScore!, byRank: byRank! }
    }
    return { code: curve('code'), hunk: curve('hunk'), note: curve('hunk') }
  }
  return { trouble: chances('trouble'), present: chances('present') }
}

const reciprocal = (hits: readonly { readonly isRight: boolean }[]): number => {
  const at = hits.findIndex(({ isRight }) => isRight)
  return at < 0 ? 0 : 1 / (at + 1)
}

const hitAt = (most: number, hits: readonly { readonly isRight: boolean }[]): number =>
  hits.slice(0, most).some(({ isRight }) => isRight) ? 1 : 0

const turns = <Item>(lists: readonly (readonly Item[])[]): Item[] =>
  Array.from({ length: LIMIT }, (_, at) => lists.flatMap(list => list[at] ?? [])).flat()

const mean = (values: readonly number[]): number =>
  Math.round((10_000 * values.reduce((sum, value) => sum + value, 0)) / Math.max(1, values.length)) / 10_000

const render = (chances: KindChances): string => {
  const round = (value: number) => Number(value.toFixed(2))
  const rows = Object.entries(chances).map(([mood, kinds]) => {
    const inner = Object.entries(kinds).map(
      ([kind, { base, byScore, byRank }]) =>
        `    ${kind}: { base: ${round(base)}, byScore: ${round(byScore)}, byRank: ${round(byRank)} },\n`,
    )
    return `  ${mood}: {\n${inner.join('')}  },\n`
  })
  return `/** Made by \`npm run bench -- balance\` from code-search questions and issue titles. Do not edit by hand. */

import type { KindChances } from './balance-kinds.js'

export const KIND_CHANCES: KindChances = {\n${rows.join('')}}\n`
}
