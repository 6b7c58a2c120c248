import { formatMoney } from '#shared/format.ts'
import type { DemoDealer } from './dealers.ts'
import * as phrases from './post-phrases.ts'
import type { Random } from './random.ts'
import { pickAgreeing } from './agreeing-phrases.ts'
import type { DemoVehicle } from './vehicles.ts'

export interface PostText {
  title: string
  description: string
}

type Author = Pick<DemoDealer, 'city'>

/** Writes a post whose sentences fit the vehicles and do not contradict each other. */
export function writePost(random: Random, dealer: Author, vehicles: readonly DemoVehicle[]): PostText {
  const slots = slotsOf(dealer, vehicles)
  const isSingle = vehicles.length === 1
  const wanted: (readonly string[])[] = [
    isSingle ? phrases.sources : phrases.batchSources,
    isSingle ? phrases.conditions : phrases.batchConditions,
    ...(random.chance(0.7) ? [phrases.titleNotes] : []),
    isSingle ? phrases.prices : phrases.packagePrices,
    ...(random.chance(0.6) ? [phrases.logistics] : []),
  ]
  const title = tidy(fill(random.pick(isSingle ? phrases.singleTitles : phrases.multipleTitles), slots))
  return { title, description: fill(compose(random, knownOf(title, vehicles), wanted), slots) }
}

const knownOf = (title: string, vehicles: readonly DemoVehicle[]): string[] => [
  title,
  ...vehicles.map(({ make, model }) => `${make} ${model}`),
]

/** Picks one phrase from each list. No phrase contradicts another phrase or the known text. */
function compose(random: Random, known: readonly string[], wanted: readonly (readonly string[])[]): string {
  const parts: string[] = []
  for (const phrases of wanted) {
    const phrase = pickAgreeing(random, phrases, [...known, ...parts].join(' '))
    if (phrase !== undefined) parts.push(phrase)
  }
  return parts.join(' ')
}

/** Writes a post that contains the word "auction". Its text must agree with the auction's terms (`hasReserve`). */
export function writeAuctionPost(
  random: Random,
  dealer: Author,
  vehicle: DemoVehicle,
  { kind, hasReserve }: { kind: number; hasReserve: boolean },
): PostText {
  const slots = slotsOf(dealer, [vehicle])
  const title = tidy(
    fill(phrases.auctionTitles[kind % phrases.auctionTitles.length] ?? phrases.auctionTitles[0], slots),
  )
  const wanted = [
    phrases.sources,
    phrases.conditions,
    phrases.titleNotes,
    phrases.auctionLines,
    hasReserve ? phrases.reserveLines : phrases.noReserveLines,
  ]
  return { title, description: compose(random, knownOf(title, [vehicle]), wanted) }
}

/** Replaces `{name}` slots with their values. @throws Error if a slot is unknown */
export function fill(phrase: string, slots: Record<string, string>): string {
  return phrase.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = slots[name]
    if (value === undefined) throw new Error(`no value for {${name}} in "${phrase}"`)
    return value
  })
}

export function dollars(cents: number): string {
  return formatMoney(Math.round(cents / 100))
}

function slotsOf(dealer: Author, vehicles: readonly DemoVehicle[]): Record<string, string> {
  const [first] = vehicles
  if (!first) throw new RangeError('a post needs a vehicle')
  const prices = vehicles.map(({ priceCents }) => priceCents)
  const total = prices.reduce((sum, cents) => sum + cents, 0)
  const bodies = new Set(vehicles.map(({ body }) => body))
  const makes = [...new Set(vehicles.map(({ make }) => make))]
  return {
    year: String(first.year),
    make: first.make,
    model: first.model,
    trim: first.trim === 'Base' ? '' : first.trim,
    color: first.color,
    kmiles: String(Math.max(1, Math.round(first.mileage / 1000))),
    price: dollars(first.priceCents),
    count: String(vehicles.length),
    body: bodies.size === 1 ? (phrases.bodyWords[first.body] ?? 'units') : 'cars and trucks',
    makes: makes.length > 3 ? `${makes.slice(0, 3).join(', ')} and more` : makes.join(', '),
    city: dealer.city,
    lowest: dollars(Math.min(...prices)),
    highest: dollars(Math.max(...prices)),
    total: dollars(Math.round((total * 0.97) / 10_000) * 10_000),
  }
}

function tidy(title: string): string {
  return title
    .replace(/ {2,}/g, ' ')
    .replace(/ (?=[,:])/g, '')
    .trim()
}
