import { findPosted, findSales } from '#shared/find-query.ts'
import { findBars, findMilesStep, findPriceStep, type FindFacets, type Histogram } from '#shared/schemas/find.ts'
import { bodies, drives, fuels, notStated, wordKey, type NotStated } from '#shared/vehicle-traits.ts'
import type { FindCounts } from './search-format.ts'
import type { ChosenWord } from '../find-dictionary.ts'

/** The entry of `counts` after the last bar counts vehicles without a value. */
const histogram = (counts: readonly number[], step: number): Histogram => ({
  step,
  counts: counts.slice(0, findBars),
  notStated: counts[findBars] ?? 0,
})

const traits = <T extends string>(
  counts: readonly number[],
  list: readonly T[],
): { value: T | NotStated; count: number }[] => [
  ...list.map((value, place) => ({ value, count: counts[place + 1] ?? 0 })),
  { value: notStated, count: counts[0] ?? 0 },
]

const byCount = (a: { label: string; count: number }, b: { label: string; count: number }) =>
  b.count - a.count || a.label.localeCompare(b.label)

interface Branch {
  label: string
  count: number
  branches: Map<string | number, Branch>
}

const leaf = ({ label, count }: Branch) => ({ label, count })
const sorted = <T extends { label: string; count: number }>({ branches }: Branch, toNode: (branch: Branch) => T): T[] =>
  [...branches.values()].map(toNode).toSorted(byCount)

/** Builds the tree of makes, models and trims. Includes chosen words that no vehicle has, with a count of 0. */
function wordTree(counts: FindCounts['words'], labels: ReadonlyMap<number, string>, chosen: readonly ChosenWord[]) {
  const root: Branch = { label: '', count: 0, branches: new Map() }
  const branchAt = (ids: ChosenWord['ids'], texts: readonly string[] = []) =>
    ids
      .flatMap((id) => id ?? [])
      .reduce((above, id, depth) => {
        const text = texts[depth] ?? ''
        const key = id < 0 ? wordKey(text) : id
        const known = above.branches.get(key)
        const branch = known ?? { label: labels.get(id) ?? text, count: 0, branches: new Map() }
        above.branches.set(key, branch)
        return branch
      }, root)
  for (const { ids, count } of counts) branchAt(ids).count = count
  for (const { ids, word } of chosen) branchAt(ids, [word.make, word.model ?? '', word.trim ?? ''])
  return sorted(root, (make) => ({
    ...leaf(make),
    models: sorted(make, (model) => ({ ...leaf(model), trims: sorted(model, leaf) })),
  }))
}

export const toFacets = (
  counts: FindCounts,
  labels: ReadonlyMap<number, string>,
  chosen: readonly ChosenWord[],
): FindFacets => ({
  mmt: wordTree(counts.words, labels, chosen),
  year: {
    counts: counts.year
      .flatMap(([year, count]) => (year === undefined ? [] : { year, count }))
      .toSorted((a, b) => b.year - a.year),
    notStated: counts.year.find(([year]) => year === undefined)?.[1] ?? 0,
  },
  price: histogram(counts.price, findPriceStep),
  miles: histogram(counts.miles, findMilesStep),
  body: traits(counts.body, bodies),
  drive: traits(counts.drive, drives),
  fuel: traits(counts.fuel, fuels),
  sale: findSales.map((value, place) => ({ value, count: counts.sale[place] ?? 0 })),
  seller: { connected: counts.connected, rated: counts.rated },
  posted: findPosted.map((days, place) => ({ days, count: counts.posted[place] ?? 0 })),
  photos: counts.photos,
})
