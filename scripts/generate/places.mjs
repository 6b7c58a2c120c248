/**
 * Generates server/db/data/places.tsv.gz, the coordinates of ZIP and Canadian postal codes: `node scripts/generate/places.mjs CA.txt`.
 * ZIP codes come from the package `zipcodes` (BSD-3-Clause). CA.txt is GeoNames' list for Canada
 * (https://download.geonames.org/export/zip/, CC BY 4.0).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
// @ts-expect-error: the package has no type declarations.
import zipcodes from 'zipcodes'

const [canadaFile] = process.argv.slice(2)
if (canadaFile === undefined)
  throw new Error('Say where CA.txt of GeoNames lies: node scripts/generate/places.mjs CA.txt')

/** @typedef {{ lat: number, lng: number, city: string, region: string, country: string }} Place */
/** @typedef {{ zip: string, latitude: number, longitude: number, city: string, state: string }} Zip */

/** @type {Map<string, string>} */
const lines = new Map()
/** @param {string} code @param {Place} place */
const add = (code, { lat, lng, city, region, country }) =>
  lines.set(code, [code, lat.toFixed(4), lng.toFixed(4), city, region, country].join('\t'))

/** For places in Quebec, GeoNames lists these regions instead of municipalities. */
const quebecRegions = new Set(
  (
    'Abitibi-Temiscamingue,Bas-Saint-Laurent,Capitale-Nationale,Centre-du-Quebec,Chaudiere-Appalaches,Cote-Nord,Estrie,' +
    'Gaspesie/Iles-de-la-Madeleine,Gaspesie-Iles-de-la-Madeleine,Lanaudiere,Laurentides,Mauricie,Monteregie,Nord-du-Quebec,' +
    'Outaouais,Saguenay/Lac-Saint-Jean,Saguenay-Lac-Saint-Jean'
  ).split(','),
)
/** @param {string} name */
const plain = (name) => name.normalize('NFD').replaceAll(/\p{M}/gu, '').trim()

/** ZIP codes by their first three digits. @type {Map<string, Omit<Place, 'city' | 'country'>[]>} */
const areas = new Map()
for (const one of Object.values(zipcodes.codes)) {
  const { zip, latitude: lat, longitude: lng, city, state: region } = /** @type {Zip} */ (one)
  // Skip military and similar codes, which have no location.
  if (!/^\d{5}$/.test(zip) || /^A[AEP]$/.test(region) || (lat === 0 && lng === 0)) continue
  add(zip, { lat, lng, city, region, country: 'US' })
  const area = areas.get(zip.slice(0, 3)) ?? []
  areas.set(zip.slice(0, 3), [...area, { lat, lng, region }])
}
/** @param {number[]} numbers */
const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
for (const [code, zips] of areas) {
  const [lat, lng] = [mean(zips.map((zip) => zip.lat)), mean(zips.map((zip) => zip.lng))]
  add(code, { lat, lng, city: '', region: zips[0]?.region ?? '', country: 'US' })
}

for (const line of readFileSync(canadaFile, 'utf8').split('\n')) {
  const [, code, place = '', , region = '', county = '', , , , lat, lng] = line.split('\t')
  if (code === undefined || !/^[A-Z]\d[A-Z]$/.test(code)) continue
  // `Scarborough (Malvern / Rouge River)` is in Toronto. Use the municipality, or else the place without the text in parentheses.
  const town = plain(county)
  const city = town === '' || quebecRegions.has(town) ? plain(place.replace(/ \(.*\)$/, '')) : town
  add(code, { lat: Number(lat), lng: Number(lng), city, region, country: 'CA' })
}

const text = [...lines].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => `${line}\n`)
const packed = gzipSync(text.join(''), { level: 9 })
writeFileSync(new URL('../../server/db/data/places.tsv.gz', import.meta.url), packed)
process.stdout.write(`${text.length} places, ${packed.length} bytes\n`)
