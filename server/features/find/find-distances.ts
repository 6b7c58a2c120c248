import { radians, type Columns } from './find-columns.ts'
import type { Criteria } from './find-ask.ts'

const earthMiles = 3_958.8
const milesPerDegree = 69

/**
 * Great circle from the middle of where it is looked for, in miles, by the number of the place; only of places within the radius, where
 * there is one. The others are NaN.
 */
export function distancesOf({ places }: Columns, near: Criteria['near'], within?: number): Float64Array | undefined {
  if (near === undefined) return undefined
  const { sinLat, cosLat, lat, lng } = places
  const distances = new Float64Array(lat.length).fill(Number.NaN)
  const [sin, cos] = [Math.sin(radians(near.lat)), Math.cos(radians(near.lat))]
  const least = within === undefined ? Infinity : within / milesPerDegree
  for (let place = 0; place < lat.length; place++) {
    if (Math.abs((lat[place] ?? 0) - near.lat) > least) continue
    const turn = Math.cos(radians((lng[place] ?? 0) - near.lng))
    const from = sin * (sinLat[place] ?? 0) + cos * (cosLat[place] ?? 0) * turn
    const distance = earthMiles * Math.acos(Math.min(1, Math.max(-1, from)))
    if (within === undefined || distance <= within) distances[place] = distance
  }
  return distances
}
