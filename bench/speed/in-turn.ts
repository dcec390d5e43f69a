/** How long work takes, and several works in turn, so that a busy machine slows them alike. */

export const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** The median of each, in seconds; one after the other in every round. */
export const inTurn = async <Name extends string>(
  rounds: number,
  works: Readonly<Record<Name, () => Promise<unknown>>>,
): Promise<Record<Name, number>> => {
  const times = new Map<Name, number[]>()
  for (let round = 0; round < rounds; round++)
    for (const [name, work] of Object.entries(works) as [Name, () => Promise<unknown>][])
      times.set(name, [...(times.get(name) ?? []), await seconds(work)])
  const medians = [...times].map(([name, values]) => [name, quantile(values, 0.5)])
  return Object.fromEntries(medians) as Record<Name, number>
}

export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
