/** What is compared with what: the question alone first, then one row for each way of rewriting it that was asked for. */

import type { ExpansionStrategy, Profile } from '../core/settings.js'

export interface Comparison {
  /** Empty: as the settings say. */
  readonly profiles: readonly Profile[]
  /** Follow hops from the first results. */
  readonly multiHop: boolean
  readonly multiQuery: boolean
  /** Each strategy alone, the set of the settings, and all together. */
  readonly ablate: boolean
  /** Each is a set of strategies, and a row. */
  readonly strategies: readonly (readonly ExpansionStrategy[])[]
  readonly variations: readonly number[]
  readonly expanders: readonly string[]
  /** Rewrites come from a file. */
  readonly isReplayed: boolean
}

export interface Row {
  readonly name: string
  /** Over the settings, by dotted key. */
  readonly overrides: Readonly<Record<string, unknown>>
}

export const STRATEGIES: readonly ExpansionStrategy[] = ['paraphrase', 'entity', 'step-back', 'decompose']

export const rowsOf = (comparison: Comparison): readonly Row[] => {
  const profiles = comparison.profiles.length > 0 ? comparison.profiles : [undefined]
  const others = [...(comparison.multiHop ? [HOPS] : []), ...rewritesOf(comparison)]
  return profiles.flatMap(profile => {
    const prefix = comparison.profiles.length > 1 ? `${profile}, ` : ''
    const common = profile === undefined ? {} : { profile }
    return [
      { name: `${prefix}single query`, overrides: { ...common, 'multiQuery.enabled': false } },
      ...others.map(({ name, overrides }) => ({
        name: `${prefix}${name}`,
        overrides: { ...common, ...overrides },
      })),
    ]
  })
}

const HOPS: Row = {
  name: 'multi-hop',
  overrides: { 'multiQuery.enabled': false, 'multiHop.enabled': true },
}

const rewritesOf = (comparison: Comparison): readonly Row[] => {
  const { multiQuery, ablate, strategies, variations, expanders, isReplayed } = comparison
  const isAsked =
    multiQuery || ablate || isReplayed || strategies.length + variations.length + expanders.length > 0
  if (!isAsked) return []
  const sets = ablate
    ? [undefined, ...STRATEGIES.map(strategy => [strategy]), STRATEGIES, ...strategies]
    : orAsSet(strategies)
  const rows = (expanders.length > 0 ? expanders : [isReplayed ? 'openai' : undefined]).flatMap(expander =>
    // Without a model there is one way to rewrite.
    (expander === 'local' ? [undefined] : sets).flatMap(set =>
      orAsSet(variations).map(count => rowOf(expander, set, count, expanders.length > 1)),
    ),
  )
  return [...new Map(rows.map(row => [row.name, row])).values()]
}

const orAsSet = <Value>(given: readonly Value[]): readonly (Value | undefined)[] =>
  given.length > 0 ? given : [undefined]

const rowOf = (
  expander: string | undefined,
  strategies: readonly ExpansionStrategy[] | undefined,
  variations: number | undefined,
  namesExpander: boolean,
): Row => {
  const isLocal = expander === 'local'
  const isAll = strategies !== undefined && STRATEGIES.every(strategy => strategies.includes(strategy))
  const how = isAll
    ? 'all strategies'
    : (strategies?.join(' + ') ?? (isLocal ? 'local words' : 'multi-query'))
  const who = namesExpander && !isLocal ? `${expander}: ` : ''
  return {
    name: `${who}${how}${variations === undefined ? '' : `, ${variations} variation${variations === 1 ? '' : 's'}`}`,
    overrides: {
      'multiQuery.enabled': true,
      ...(expander !== undefined && { 'expander.kind': expander }),
      ...(strategies !== undefined && { 'multiQuery.strategies': strategies }),
      ...(variations !== undefined && { 'multiQuery.variations': variations }),
    },
  }
}
