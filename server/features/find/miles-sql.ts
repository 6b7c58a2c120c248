import { type RawBuilder, sql } from 'kysely'

const earthMiles = 3_958.8

/** SQL for the great-circle distance in miles between two joined rows of postal_places. Null if either row is missing. */
export const milesBetween = (one: string, other: string): RawBuilder<number | null> => {
  const [a, b] = [sql.ref(one), sql.ref(other)]
  // `least` ignores nulls, so without this check a missing location would give a distance.
  return sql`(case when ${a}.lat is not null and ${b}.lat is not null then 2 * ${sql.lit(earthMiles)} * asin(least(1, sqrt(
    power(sin(radians(${b}.lat - ${a}.lat) / 2), 2)
    + cos(radians(${a}.lat)) * cos(radians(${b}.lat)) * power(sin(radians(${b}.lng - ${a}.lng) / 2), 2)))) end)`
}
