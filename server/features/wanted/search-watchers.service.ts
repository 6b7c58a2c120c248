import { type FindQuery, type FindRange, findSales } from '#shared/find-query.ts'
import { bodies, drives, fuels, traitNumber, wordKey } from '#shared/vehicle-traits.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { centsPerDollar } from '#server/platform/money.ts'
import { findPlaceId, insertSearchWatchers, type Watched } from './watchers.repository.ts'

const some = (numbers: number[]): number[] | null => (numbers.length === 0 ? null : numbers)

function boundsOf({ from, to }: FindRange, unit = 1): [number | null, number | null] {
  return [from === undefined ? null : from * unit, to === undefined ? null : to * unit]
}

const keyOf = (word: string | undefined): string | null => (word === undefined ? null : wordKey(word))

/** Starts notifications for a saved search. Without a location, the search matches vehicles everywhere, as in Find. */
export async function watchSearch(tx: Tx, dealerId: string, searchId: string, query: FindQuery): Promise<void> {
  const placeId = query.within === undefined ? null : await findPlaceId(tx, query.near)
  const [yearMin, yearMax] = boundsOf(query.year)
  const [priceMin, priceMax] = boundsOf(query.price, centsPerDollar)
  const [milesMin, milesMax] = boundsOf(query.miles)
  const rest: Omit<Watched, 'makeKey' | 'modelKey' | 'trimKeys'> = {
    yearMin,
    yearMax,
    yearNone: query.year.none === true,
    priceMin,
    priceMax,
    priceNone: query.price.none === true,
    milesMin,
    milesMax,
    milesNone: query.miles.none === true,
    placeId,
    radius: placeId === null ? null : (query.within ?? null),
    bodies: some(query.body.map((body) => traitNumber(bodies, body))),
    drives: some(query.drive.map((drive) => traitNumber(drives, drive))),
    fuels: some(query.fuel.map((fuel) => traitNumber(fuels, fuel))),
    sales: some(query.sale.map((sale) => findSales.indexOf(sale))),
    connectedOnly: query.connected,
    ratingMin: query.rating ?? null,
    photosOnly: query.photos,
    postedDays: query.posted ?? null,
  }
  const words =
    query.mmt.length === 0
      ? [{ makeKey: null, modelKey: null, trimKeys: null }]
      : query.mmt.map((word) => ({
          makeKey: keyOf(word.make),
          modelKey: keyOf(word.model),
          trimKeys: word.trim === undefined ? null : [wordKey(word.trim)],
        }))
  await insertSearchWatchers(
    tx,
    dealerId,
    searchId,
    words.map((word) => ({ ...rest, ...word })),
  )
}
