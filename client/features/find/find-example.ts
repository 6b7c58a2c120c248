import type { FindAnswer, FindFacets } from '#shared/schemas/find.ts'

/** An example has to find several vehicles. */
const hitsLeast = 5
const yearsAtOnce = 3

const general = 'Year, make, model, miles or place'

const mostOf = (named: readonly { name: string; count: number }[]): string =>
  named.filter(({ count }) => count >= hitsLeast).toSorted((a, b) => b.count - a.count)[0]?.name ?? ''

/** The model with most vehicles, or the make: models are counted for chosen makes only. */
function carOf({ mmt }: FindFacets): string {
  const makes = mmt.filter(({ label }) => label !== '')
  const models = makes.flatMap((make) =>
    make.models
      .filter(({ label }) => label !== '')
      .map(({ label, count }) => ({ name: `${make.label} ${label}`, count })),
  )
  return mostOf(models) || mostOf(makes.map(({ label, count }) => ({ name: label, count })))
}

/** The years around the one with most vehicles. */
function yearsOf({ year: { counts } }: FindFacets): string {
  const most = counts.toSorted((a, b) => b.count - a.count)[0]
  if (most === undefined) return ''
  const near = counts.filter(({ year, count }) => count > 0 && Math.abs(year - most.year) < yearsAtOnce - 1)
  if (near.reduce((sum, { count }) => sum + count, 0) < hitsLeast) return ''
  const years = near.map(({ year }) => year)
  const [from, to] = [Math.min(...years), Math.max(...years)]
  return from === to ? String(from) : `${from}-${to}`
}

/** A round mileage below which at least half of the vehicles are. */
function milesOf({ miles: { step, counts } }: FindFacets): string {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total < hitsLeast) return ''
  let below = 0
  const bar = counts.findIndex((count) => (below += count) >= Math.max(hitsLeast, total / 2))
  // The last bar includes everything above it.
  return bar === -1 || bar === counts.length - 1 ? '' : `under ${((bar + 1) * step) / 1_000}k miles`
}

/** A phrase that finds something on this network, for the search field. Each of its parts has at least five vehicles. */
export function exampleOf(answer: Pick<FindAnswer, 'facets'> | undefined): string {
  const facets = answer?.facets
  if (facets === undefined) return general
  const car = carOf(facets)
  return car === '' ? general : [yearsOf(facets), car, milesOf(facets)].filter(Boolean).join(' ')
}
