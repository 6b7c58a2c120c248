import type { FindQuery, FindRange } from '#shared/find-query.ts'
import { bodies, drives, fuels, traitNumber } from '#shared/vehicle-traits.ts'
import { stated } from '#server/platform/http/request-fields.ts'
import { centsPerDollar } from '#server/platform/money.ts'
import type { Criteria } from './columns/search-format.ts'

const dayMs = 24 * 3_600_000

const chosen = <T>(values: readonly T[]) => (values.length === 0 ? undefined : values)
const numbers = (list: readonly string[], values: readonly string[]) =>
  chosen(values.map((value) => traitNumber(list, value)))
export const cents = ({ from, to, none }: FindRange): FindRange =>
  stated({ from: from && from * centsPerDollar, to: to && to * centsPerDollar, none })

export interface Known extends Pick<Criteria, 'network' | 'excluded' | 'now'> {
  words: NonNullable<Criteria['words']>
  /** Center of the search. Undefined if the postal code is unknown. */
  near: Criteria['near'] | undefined
}

export const criteriaOf = (query: FindQuery, { words, near, network, excluded, now }: Known): Criteria => ({
  year: query.year,
  priceCents: cents(query.price),
  miles: query.miles,
  photos: query.photos,
  connected: query.connected,
  network,
  excluded,
  now,
  ...stated({
    words: chosen(words),
    near,
    within: near && query.within,
    body: numbers(bodies, query.body),
    drive: numbers(drives, query.drive),
    fuel: numbers(fuels, query.fuel),
    sale: chosen(query.sale),
    rating: query.rating,
    postedSince: query.posted && now - query.posted * dayMs,
  }),
})
