/** The scores that each set is reported by, from the results of one query. */

import type { BenchQuery, LabelledCorpus, Place } from '../sets/shape.js'
import { distinctFiles, ranksOf, samePath } from './match.js'
import { accuracy, codescoutPoints, hit, ndcg, recall, reciprocalRank } from './rank-metrics.js'

type Matching = Pick<LabelledCorpus, 'matches'>
type Score = (corpus: Matching, query: BenchQuery, results: readonly Place[]) => Record<string, number>

/** Ranks are slots: two chunks of one file take two of the ten places. */
export const scoreCodeSearch: Score = (corpus, { targets }, results) => {
  const ranks = ranksOf(targets, results, corpus.matches)
  return { 'nDCG@10': ndcg(ranks, 10), 'R@10': recall(ranks, 10), 'MRR@10': reciprocalRank(ranks, 10) }
}

/** Ranks are files. */
export const scoreIssue: Score = (corpus, { targets }, results) => {
  const ranks = ranksOf(targets, distinctFiles(results), corpus.matches)
  return {
    'Acc@1': accuracy(ranks, 1),
    'Acc@5': accuracy(ranks, 5),
    'Acc@10': accuracy(ranks, 10),
    'Hit@10': hit(ranks, 10),
    MRR: reciprocalRank(ranks),
  }
}

/** Ranks are documents, each of which is a file. */
export const scoreDocuments: Score = (corpus, { targets }, results) => {
  const ranks = ranksOf(targets, distinctFiles(results), corpus.matches)
  return {
    'nDCG@10': ndcg(ranks, 10),
    'MRR@10': reciprocalRank(ranks, 10),
    'R@10': recall(ranks, 10),
    'R@100': recall(ranks, 100),
  }
}

/** Points of 3; the sum over all queries is what others publish (of 60). */
export const scoreCodescout: Score = (corpus, { targets }, results) => ({
  'points by slot': codescoutPoints(ranksOf(targets, results, corpus.matches)),
  'points by file': codescoutPoints(ranksOf(targets, distinctFiles(results), corpus.matches)),
})

/** A hunk counts when its commit is the answer. Which hunk is shown can be judged only where it is one of the right commit. */
export const scoreCommits = (
  { targets, commits = [] }: Pick<BenchQuery, 'targets' | 'commits'>,
  results: readonly { readonly path: string; readonly commit?: string }[],
): Record<string, number> => {
  const position = results.findIndex(({ commit }) => commit !== undefined && commits.includes(commit))
  const ranks = [position < 0 ? Number.POSITIVE_INFINITY : position + 1]
  return {
    'Hit@1': hit(ranks, 1),
    'Hit@10': hit(ranks, 10),
    'Hit@50': hit(ranks, 50),
    MRR: reciprocalRank(ranks),
    ...(ranks[0]! <= 10 && {
      'right hunk': targets.some(({ path }) => path === results[position]!.path) ? 1 : 0,
    }),
  }
}

/** Without labels: how far the results are from those of the first row. */
export const scoreChange = (before: readonly Place[], results: readonly Place[]): Record<string, number> => {
  const name = ({ path, startLine, endLine }: Place): string => `${path}:${startLine}-${endLine}`
  const [was, is] = [before.slice(0, 10).map(name), results.slice(0, 10).map(name)]
  const five = was.slice(0, 5)
  const shared = is.slice(0, 5).filter(each => five.includes(each)).length
  return {
    'same in 5': five.length === 0 ? Number(is.length === 0) : shared / five.length,
    'new in 10': is.filter(each => !was.includes(each)).length,
    'lists that differ': was.join('\n') === is.join('\n') ? 0 : 1,
  }
}

/** Ranks are turns, and sessions by their best turn. A question may have labels of one kind only. */
export const scoreTurns = (
  { targets, sessions = [] }: Pick<BenchQuery, 'targets' | 'sessions'>,
  results: readonly (Place & { readonly session: string })[],
): Record<string, number> => {
  const ranks = ranksOf(targets, results, samePath)
  const order = [...new Set(results.map(({ session }) => session))]
  const sessionRanks = sessions.map(session => order.indexOf(session) + 1 || Number.POSITIVE_INFINITY)
  return {
    ...(targets.length > 0 && {
      'nDCG@10': ndcg(ranks, 10),
      'R@10': recall(ranks, 10),
      'R@100': recall(ranks, 100),
      'MRR@10': reciprocalRank(ranks, 10),
    }),
    ...(sessions.length > 0 && {
      'session R@5': recall(sessionRanks, 5),
      'session R@10': recall(sessionRanks, 10),
      'session all@10': accuracy(sessionRanks, 10),
    }),
  }
}
