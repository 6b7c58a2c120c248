import { findSales } from '#shared/find-query.ts'
import { findBars, findMilesStep, findPriceStep, type FindFacets, type Histogram } from '#shared/schemas/find.ts'
import { bodies, drives, fuels, notStated, type NotStated } from '#shared/vehicle-traits.ts'
import type { FacetRow } from './find.index.ts'
import type { Criteria } from './find-index-sql.ts'

type Counts = ReadonlyMap<number | null, number>

/** The counts of one group by its first value. */
const countsOf = (rows: readonly FacetRow[], group: string): Counts =>
  new Map(rows.flatMap(([name, value, , , count]) => (name === group ? [[value, count] as const] : [])))

function histogram(counts: Counts, step: number): Histogram {
  return {
    step,
    counts: Array.from({ length: findBars }, (_, bar) => counts.get(bar) ?? 0),
    notStated: counts.get(null) ?? 0,
  }
}

/** In the order of the list, and what is not stated last: a value that counts 0 keeps its place. */
function traits<T extends string>(counts: Counts, list: readonly T[]): { value: T | NotStated; count: number }[] {
  return [
    ...list.map((value, place) => ({ value, count: counts.get(place + 1) ?? 0 })),
    { value: notStated, count: counts.get(0) ?? 0 },
  ]
}

const byCount = (a: { label: string; count: number }, b: { label: string; count: number }) =>
  b.count - a.count || a.label.localeCompare(b.label)

/** The tree of makes, models and trims; what is chosen stands in it even where nothing of it is left. */
function wordTree(
  rows: readonly FacetRow[],
  labels: ReadonlyMap<number, string>,
  words: Criteria['words'] = [],
): FindFacets['mmt'] {
  const label = (id: number) => labels.get(id) ?? ''
  const counts = new Map(rows.map(([group, make, model, trim, count]) => [[group, make, model, trim].join(), count]))
  const childrenOf = (group: string, parents: readonly number[], place: 1 | 2 | 3) => {
    const counted = rows.flatMap((row) =>
      row[0] === group && parents.every((parent, index) => row[index + 1] === parent) ? (row[place] ?? []) : [],
    )
    const named = words.flatMap((word) =>
      parents.every((parent, index) => word[index] === parent) ? (word[place - 1] ?? []) : [],
    )
    return [...new Set([...counted, ...named])].filter((id) => id >= 0)
  }
  const countOf = (group: string, ...ids: (number | null)[]) => counts.get([group, ...ids].join()) ?? 0
  return childrenOf('make', [], 1)
    .map((make) => ({
      label: label(make),
      count: countOf('make', make, null, null),
      models: childrenOf('model', [make], 2)
        .map((model) => ({
          label: label(model),
          count: countOf('model', make, model, null),
          trims: childrenOf('trim', [make, model], 3)
            .map((trim) => ({ label: label(trim), count: countOf('trim', make, model, trim) }))
            .toSorted(byCount),
        }))
        .toSorted(byCount),
    }))
    .toSorted(byCount)
}

/** The counts of an answer as they go over the wire. */
export function toFacets(
  rows: readonly FacetRow[],
  labels: ReadonlyMap<number, string>,
  { words }: Criteria,
): FindFacets {
  const years = countsOf(rows, 'year')
  const posted = countsOf(rows, 'posted')
  const sales = countsOf(rows, 'sale')
  return {
    mmt: wordTree(rows, labels, words),
    year: {
      counts: [...years]
        .flatMap(([year, count]) => (year === null ? [] : { year, count }))
        .toSorted((a, b) => b.year - a.year),
      notStated: years.get(null) ?? 0,
    },
    price: histogram(countsOf(rows, 'price'), findPriceStep),
    miles: histogram(countsOf(rows, 'miles'), findMilesStep),
    body: traits(countsOf(rows, 'body'), bodies),
    drive: traits(countsOf(rows, 'drive'), drives),
    fuel: traits(countsOf(rows, 'fuel'), fuels),
    sale: findSales.map((value, place) => ({ value, count: sales.get(place) ?? 0 })),
    seller: { connected: countsOf(rows, 'network').get(1) ?? 0, rated: countsOf(rows, 'rated').get(1) ?? 0 },
    posted: [...posted].map(([days, count]) => ({ days: days ?? 0, count })).toSorted((a, b) => a.days - b.days),
    photos: countsOf(rows, 'photos').get(1) ?? 0,
  }
}
