import { type RawBuilder, sql } from 'kysely'

const earthMiles = 3_958.8

/** Great circle between two rows of postal_places by their names in the statement, in miles; null where one is unknown. */
export const milesBetween = (one: string, other: string): RawBuilder<number | null> => {
  const [a, b] = [sql.ref(one), sql.ref(other)]
  // Of a number and null `least` is the number.
  return sql`(case when ${a}.lat is not null and ${b}.lat is not null then 2 * ${sql.lit(earthMiles)} * asin(least(1, sqrt(
    power(sin(radians(${b}.lat - ${a}.lat) / 2), 2)
    + cos(radians(${a}.lat)) * cos(radians(${b}.lat)) * power(sin(radians(${b}.lng - ${a}.lng) / 2), 2)))) end)`
}
