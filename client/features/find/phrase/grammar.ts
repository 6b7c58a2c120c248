import type { FindQuery } from '#shared/find-query.ts'
import { findRating } from '#shared/constants/find.ts'

/** Words that select filter values. Several values of one filter are combined with "or". */
export const wordsOfGroups: readonly (readonly [
  string,
  Partial<Pick<FindQuery, 'body' | 'drive' | 'fuel' | 'sale'>>,
])[] = [
  ['pick-?ups?|pick up trucks?|trucks?', { body: ['pickup'] }],
  ['suvs?|cuvs?|crossovers?|sport utility', { body: ['suv'] }],
  ['sedans?|saloons?', { body: ['sedan'] }],
  ['coupes?', { body: ['coupe'] }],
  ['hatch(?:back)?s?|hatchbacks?', { body: ['hatchback'] }],
  ['convertibles?|cabriolets?|roadsters?', { body: ['convertible'] }],
  ['wagons?|estates?', { body: ['wagon'] }],
  ['minivans?|cargo vans?|passenger vans?|vans?', { body: ['van'] }],
  ['4 ?x ?4|4wd|four wheel drive|4 wheel drive', { drive: ['4wd'] }],
  ['awd|all[- ]wheel drive', { drive: ['awd'] }],
  ['fwd|front[- ]wheel drive', { drive: ['fwd'] }],
  ['rwd|rear[- ]wheel drive', { drive: ['rwd'] }],
  ['4 ?x ?2|2wd|two wheel drive', { drive: ['fwd', 'rwd'] }],
  ['plug[ -]?in(?: hybrids?)?|phevs?', { fuel: ['plugin'] }],
  ['hybrids?|hev', { fuel: ['hybrid'] }],
  ['evs?|electrics?|bevs?', { fuel: ['electric'] }],
  ['diesels?|tdi|duramax|cummins|power ?stroke', { fuel: ['diesel'] }],
  ['gas|gasoline|petrol', { fuel: ['gas'] }],
  ['fixed[- ]price|buy now|no auctions?', { sale: ['fixed'] }],
  ['(?:coming|upcoming|future) auctions?|auctions? coming', { sale: ['coming'] }],
  ['(?:live|running) auctions?|auctions? running|at auction|auctions?|live now', { sale: ['live'] }],
]

export const wordsOfSearches: readonly (readonly [string, Partial<FindQuery>])[] = [
  ['(?:from |of )?my (?:connections|network)|connected(?: sellers?| dealers?)?', { connected: true }],
  [String.raw`(?:rated |rating )?4\.5 ?(?:\+|stars?|or better|and up)*`, { rating: findRating }],
  ['top[- ]rated|well[- ]rated', { rating: findRating }],
  ['(?:posted |new )?today|last 24 hours', { posted: 1 }],
  ['posted this week|(?:this|past|last) week|last (?:7|seven) days', { posted: 7 }],
  ['(?:this|past|last) month|last (?:30|thirty) days', { posted: 30 }],
  ['(?:with|has|having) (?:photos?|pictures?|pics?)|photos only', { photos: true }],
  ['cheapest(?: first)?|lowest price(?: first)?', { sort: 'cheapest' }],
  ['most expensive(?: first)?|highest price(?: first)?', { sort: 'dearest' }],
  ['lowest (?:miles|mileage)(?: first)?', { sort: 'mileage' }],
  ['newest(?: first)?', { sort: 'newest' }],
]

/** Words that sort, and for which the search needs a place (`nearest`) or the filter for live auctions (`ending`). */
export const wordsOfDependentSorts = {
  nearest: '(?:nearest|closest)(?: first)?',
  ending: 'ending soon(?:est)?',
} as const

const ownPlaces = '(?:me|us|here|(?:my|our) (?:area|dealership|location|lot|place|store|town|zip))'

/** Words that mean the dealer's own location: alone, after a radius (`50 miles from me`), and in `closest to me`. */
export const wordsOfOwnPlace = {
  near: `(?:(?:near|around|by|close to|close by|next to) ${ownPlaces}|in (?:my|our) area)`,
  nearby: 'near ?by',
  from: `(?:of|from|around|away from|near|to) ${ownPlaces}`,
  closest: `(?:nearest|closest)(?: first)? to ${ownPlaces}`,
} as const

/** Radius in miles of `near me` without a distance. It is one of `findRadii`. */
export const nearMeMiles = 100

/** Words after one of these words are not turned into filters, because filters cannot exclude. */
export const exclusionWords: ReadonlySet<string> = new Set('no not non without except excluding w/o'.split(' '))

export const fillerWords: ReadonlySet<string> = new Set(
  'a an the with and or for of to at & , . - car cars vehicle vehicles used find show search me i want need looking any all please sale it that is are'.split(
    ' ',
  ),
)
