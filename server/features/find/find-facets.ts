import { findSales } from '#shared/find-query.ts'
import { findBars, findMilesStep, findPriceStep, type FindFacets, type Histogram } from '#shared/schemas/find.ts'
import { bodies, drives, fuels, notStated, wordKey, type NotStated } from '#shared/vehicle-traits.ts'
import type { FacetRow } from './find.index.ts'
import type { ChosenWord } from './find.repository.ts'

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

interface Branch {
  label: string
  count: number
  branches: Map<string | number, Branch>
}

/** Groups whose values are a make, a make and its model, and these and its trim. */
export const wordGroups: ReadonlySet<string> = new Set(['make', 'model', 'trim'])
const leaf = ({ label, count }: Branch) => ({ label, count })
const sorted = <T extends { label: string; count: number }>(
  { branches }: Branch,
  toNode: (branch: Branch) => T,
): T[] => [...branches.values()].map(toNode).toSorted(byCount)

/** The tree of makes, models and trims; what is chosen stands in it even where nothing is left of it, or nobody has ever written it. */
function wordTree(rows: readonly FacetRow[], labels: ReadonlyMap<number, string>, chosen: readonly ChosenWord[]) {
  const root: Branch = { label: '', count: 0, branches: new Map() }
  /** The branch at the end of a path, made where it is not there. Of what nobody has written there are only the texts. */
  const branchAt = (ids: readonly number[], texts: readonly string[] = []) =>
    ids.reduce((above, id, depth) => {
      const text = texts[depth] ?? ''
      const key = id < 0 ? wordKey(text) : id
      const known = above.branches.get(key)
      const branch = known ?? { label: labels.get(id) ?? text, count: 0, branches: new Map() }
      above.branches.set(key, branch)
      return branch
    }, root)
  for (const [group, make, model, trim, count] of rows)
    if (wordGroups.has(group)) branchAt([make, model, trim].filter((id) => id !== null)).count = count
  for (const { ids, word } of chosen) branchAt(ids, [word.make, word.model ?? '', word.trim ?? ''])
  return sorted(root, (make) => ({
    ...leaf(make),
    models: sorted(make, (model) => ({ ...leaf(model), trims: sorted(model, leaf) })),
  }))
}

/** The counts of an answer as they go over the wire. */
export function toFacets(
  rows: readonly FacetRow[],
  labels: ReadonlyMap<number, string>,
  chosen: readonly ChosenWord[],
): FindFacets {
  const years = countsOf(rows, 'year')
  const posted = countsOf(rows, 'posted')
  const sales = countsOf(rows, 'sale')
  return {
    mmt: wordTree(rows, labels, chosen),
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
