import type { FindAnswer, FindFacets } from '#shared/schemas/find.ts'

/** Each part of the example must find at least this many vehicles. */
const minHits = 5
const yearsAtOnce = 3

const general = 'Year, make, model, miles or location'

const mostFrequent = (named: readonly { name: string; count: number }[]): string =>
  named.filter(({ count }) => count >= minHits).toSorted((a, b) => b.count - a.count)[0]?.name ?? ''

/** Returns the model with the most vehicles. Returns a make if no model has enough, because models are counted only for chosen makes. */
function mostFrequentModel({ mmt }: FindFacets): string {
  const makes = mmt.filter(({ label }) => label !== '')
  const models = makes.flatMap((make) =>
    make.models
      .filter(({ label }) => label !== '')
      .map(({ label, count }) => ({ name: `${make.label} ${label}`, count })),
  )
  return mostFrequent(models) || mostFrequent(makes.map(({ label, count }) => ({ name: label, count })))
}

function yearsOf({ year: { counts } }: FindFacets): string {
  const most = counts.toSorted((a, b) => b.count - a.count)[0]
  if (most === undefined) return ''
  const near = counts.filter(({ year, count }) => count > 0 && Math.abs(year - most.year) < yearsAtOnce - 1)
  if (near.reduce((sum, { count }) => sum + count, 0) < minHits) return ''
  const years = near.map(({ year }) => year)
  const [from, to] = [Math.min(...years), Math.max(...years)]
  return from === to ? String(from) : `${from}-${to}`
}

/** Returns a phrase such as `under 60k miles` that covers at least half of the vehicles, or an empty string if there is no useful limit. */
function milesOf({ miles: { step, counts } }: FindFacets): string {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total < minHits) return ''
  let below = 0
  const bar = counts.findIndex((count) => (below += count) >= Math.max(minHits, total / 2))
  // The last bar also counts all higher mileages, so a limit at its upper end would be wrong.
  return bar === -1 || bar === counts.length - 1 ? '' : `under ${((bar + 1) * step) / 1_000}k miles`
}

/** Returns an example search in which each part finds at least five vehicles, or a general hint if no make has five. */
export function exampleOf(answer: Pick<FindAnswer, 'facets'> | undefined): string {
  const facets = answer?.facets
  if (facets === undefined) return general
  const car = mostFrequentModel(facets)
  return car === '' ? general : [yearsOf(facets), car, milesOf(facets)].filter(Boolean).join(' ')
}
