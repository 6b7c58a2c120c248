import { findPosted, findSales } from '#shared/find-query.ts'
import { findBars } from '#shared/schemas/find.ts'
import { bodies, drives, fuels } from '#shared/vehicle-traits.ts'
import { yearZero, type Arrays, type Columns } from './find-columns.ts'
import { chosenMakes, saleAt, type Group, type SellerTables } from './find-marks.ts'
import type { Criteria, FindCounts } from './find-ask.ts'

/** Counts the first `count` of these rows. */
type Tally = (rows: Uint32Array, count: number) => void
export interface Counter {
  group: Group
  tally: Tally
}

const dayMs = 24 * 3_600_000
const values = 256

function byValue(column: Uint8Array, counts: Uint32Array): Tally {
  return (rows, count) => {
    for (let at = 0; at < count; at++) {
      const value = column[rows[at] ?? 0] ?? 0
      counts[value] = (counts[value] ?? 0) + 1
    }
  }
}

/** Counts, in the first of `counts`, of which sellers say so. */
function bySeller(seller: Uint32Array, says: Uint8Array, counts: Uint32Array): Tally {
  return (rows, count) => {
    for (let at = 0; at < count; at++) counts[0] = (counts[0] ?? 0) + (says[seller[rows[at] ?? 0] ?? 0] ?? 0)
  }
}

const add = (counts: Uint32Array, value: number) => {
  counts[value] = (counts[value] ?? 0) + 1
}

/** Makes by all, models of makes that are chosen or of which something is, trims of such models. */
function wordCounter({ of, mostWord }: Columns, chosen: NonNullable<Criteria['words']>) {
  const column = () => new Uint32Array(mostWord + 1)
  const [makes, models, trims] = [column(), column(), column()]
  // Of a make those without a model, of a model those without a trim.
  const [noModel, noTrim] = [column(), column()]
  const [makeOf, modelOf] = [column(), column()]
  const openMakes = chosenMakes(chosen, mostWord)
  const openModels = new Uint8Array(mostWord + 1)
  for (const [, model] of chosen) if (model !== undefined && model > 0) openModels[model] = 1
  const tallyParts = (row: number, make: number) => {
    const [model, trim] = [of.model[row] ?? 0, of.trim[row] ?? 0]
    if (model === 0) return add(noModel, make)
    add(models, model)
    makeOf[model] = make
    if (openModels[model] !== 1) return
    if (trim === 0) return add(noTrim, model)
    add(trims, trim)
    modelOf[trim] = model
  }
  const tally: Tally = (rows, count) => {
    for (let at = 0; at < count; at++) {
      const row = rows[at] ?? 0
      const make = of.make[row] ?? 0
      add(makes, make)
      if (openMakes[make] !== 0) tallyParts(row, make)
    }
  }
  const counted = (counts: Uint32Array, idsOf: (id: number) => FindCounts['words'][number]['ids']) =>
    [...counts].flatMap((count, id) => (count === 0 ? [] : [{ ids: idsOf(id), count }]))
  const isOpen = (make: number) => chosen.some(([one, model]) => one === make && model === 0)
  const read = (): FindCounts['words'] => [
    ...counted(makes, (make) => [make]),
    ...counted(models, (model) => [makeOf[model] ?? 0, model]),
    ...counted(noModel, (make) => [make, 0]),
    ...counted(trims, (trim) => [makeOf[modelOf[trim] ?? 0] ?? 0, modelOf[trim] ?? 0, trim]),
    ...counted(noTrim, (model) => [makeOf[model] ?? 0, model, 0]),
    ...counted(noModel, (make) => [make, 0, 0]).filter(({ ids: [make] }) => isOpen(make)),
  ]
  return { tally, read }
}

function saleTally(columns: Columns, now: number, counts: Uint32Array): Tally {
  return (rows, count) => {
    for (let at = 0; at < count; at++) add(counts, saleAt(columns, rows[at] ?? 0, now))
  }
}

function postedTally(posted: Float64Array, now: number, counts: Uint32Array): Tally {
  const since = findPosted.map((days) => now - days * dayMs)
  return (rows, count) => {
    for (let at = 0; at < count; at++) {
      const age = posted[rows[at] ?? 0] ?? 0
      for (const [place, from] of since.entries()) if (age >= from) add(counts, place)
    }
  }
}

const sizes = {
  year: values,
  price: findBars + 1,
  miles: findBars + 1,
  body: bodies.length + 1,
  drive: drives.length + 1,
  fuel: fuels.length + 1,
  sale: findSales.length,
  connected: 1,
  rated: 1,
  posted: findPosted.length,
  photos: 2,
} satisfies Partial<Record<Group, number>>

/** What counts each group's rows, and what they have counted in the end. */
export function countersOf(
  columns: Columns,
  { words = [], now }: Criteria,
  { connected, rated }: SellerTables,
): { counters: Counter[]; read: () => FindCounts } {
  const of: Arrays = columns.of
  const counts = Object.fromEntries(
    Object.entries(sizes).map(([group, size]) => [group, new Uint32Array(size)]),
  ) as Record<keyof typeof sizes, Uint32Array>
  const word = wordCounter(columns, words)
  const tallies: Record<Group, Tally> = {
    words: word.tally,
    year: byValue(of.year, counts.year),
    price: byValue(of.priceBar, counts.price),
    miles: byValue(of.milesBar, counts.miles),
    body: byValue(of.body, counts.body),
    drive: byValue(of.drive, counts.drive),
    fuel: byValue(of.fuel, counts.fuel),
    sale: saleTally(columns, now, counts.sale),
    connected: bySeller(of.seller, connected, counts.connected),
    rated: bySeller(of.seller, rated, counts.rated),
    posted: postedTally(of.posted, now, counts.posted),
    photos: byValue(of.photos, counts.photos),
  }
  const read = (): FindCounts => ({
    words: word.read(),
    year: [...counts.year].flatMap((count, year): FindCounts['year'] =>
      count === 0 ? [] : [[year === 0 ? undefined : year + yearZero, count]],
    ),
    price: [...counts.price],
    miles: [...counts.miles],
    body: [...counts.body],
    drive: [...counts.drive],
    fuel: [...counts.fuel],
    sale: [...counts.sale],
    posted: [...counts.posted],
    connected: counts.connected[0] ?? 0,
    rated: counts.rated[0] ?? 0,
    photos: counts.photos[1] ?? 0,
  })
  return { counters: Object.entries(tallies).map(([group, tally]) => ({ group: group as Group, tally })), read }
}
