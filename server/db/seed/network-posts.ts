import { auctionFacilitators } from '#shared/facilitators.ts'
import { danaEmail, marcusEmail } from '#server/features/auth/demo-accounts.ts'
import { idAt } from './ids.ts'
import { dayMs, findKnown, type KnownDealer } from './known-dealers.ts'
import { writeAuctionPost, writePost } from './post-text.ts'
import type { Random } from './random.ts'
import { makeVehicle, type DemoVehicle } from './vehicles.ts'

export interface KnownVehicle extends DemoVehicle {
  id: string
  status: 'available' | 'pending' | 'sold'
}

export interface DemoPost {
  id: string
  dealer: KnownDealer
  type: 'single' | 'multiple'
  title: string
  description: string
  status: 'active' | 'sold' | 'expired'
  auctionFacilitator: string
  vehicles: readonly KnownVehicle[]
  createdAt: Date
  auction?: AuctionPlan
}

/** Times are in minutes before or after the seeding. */
export interface AuctionPlan {
  hasReserve: boolean
  startedAgo: number
  endsIn: number
}

const minuteMs = 60_000
const shownDays = 29

const auctioneers = [
  {
    email: marcusEmail,
    minutesAgo: 12,
    auction: { hasReserve: true, startedAgo: 8, endsIn: 21 },
    wanted: { make: 'Ford', model: 'F-150', year: 2021, trim: 'XLT', mileage: 48_210, priceCents: 3_190_000 },
  },
  {
    email: 'ray@gulfcoast.example',
    minutesAgo: 47,
    auction: { hasReserve: false, startedAgo: 31, endsIn: 48 },
    wanted: { make: 'Chevrolet', model: 'Tahoe', year: 2020 },
  },
  {
    email: 'tom@bayoufleet.example',
    minutesAgo: 95,
    auction: { hasReserve: true, startedAgo: 80, endsIn: 190 },
    wanted: { make: 'Toyota', model: 'Tacoma', year: 2022 },
  },
] as const

/** Creates three live auctions and the posts of a month, newest first. Older posts are rarer. */
export function makePosts(random: Random, dealers: readonly KnownDealer[], count: number, now: Date): DemoPost[] {
  const sellers = dealers.filter(({ role }) => role === 'dealer')
  const posts = auctioneers.map((auctioneer, index) => makeAuction(random, dealers, auctioneer, index, now))
  for (let index = auctioneers.length; index < count; index++) {
    const age = (random.next() ** 1.3 * shownDays * dayMs) | 0
    const createdAt = new Date(now.getTime() - 20 * minuteMs - Math.max(age, index * minuteMs))
    const dealer = index % 45 === 7 ? findKnown(sellers, danaEmail) : pickSeller(random, sellers)
    posts.push(makePost(random, dealer, createdAt, now))
  }
  return posts.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
}

function pickSeller(random: Random, sellers: readonly KnownDealer[]): KnownDealer {
  return random.pick(random.chance(0.25) ? sellers.slice(1, 12) : sellers)
}

function makeAuction(
  random: Random,
  dealers: readonly KnownDealer[],
  { email, minutesAgo, auction, wanted }: (typeof auctioneers)[number],
  index: number,
  now: Date,
): DemoPost {
  const dealer = findKnown(dealers, email)
  const createdAt = new Date(now.getTime() - minutesAgo * minuteMs)
  const vehicle = makeVehicle(random, createdAt.getFullYear(), wanted)
  return {
    id: idAt(random, createdAt),
    dealer,
    type: 'single',
    ...writeAuctionPost(random, dealer, vehicle, { kind: index, hasReserve: auction.hasReserve }),
    status: 'active',
    auctionFacilitator: 'Simulcast',
    auction,
    vehicles: [{ ...vehicle, id: idAt(random, createdAt), status: 'available' }],
    createdAt,
  }
}

function makePost(random: Random, dealer: KnownDealer, createdAt: Date, now: Date): DemoPost {
  const ageDays = (now.getTime() - createdAt.getTime()) / dayMs
  const isSold = random.chance(Math.min(0.3, ageDays * 0.02))
  const isExpired = !isSold && ageDays > 18 && random.chance(0.5)
  const vehicles = pickVehicles(random, createdAt).map((vehicle): KnownVehicle => {
    const isGone = isSold || (ageDays > 1 && random.chance(0.06))
    const there = !isGone && random.chance(0.05) ? 'pending' : 'available'
    return { ...vehicle, id: idAt(random, createdAt), status: isGone ? 'sold' : there }
  })
  const gone = vehicles.every(({ status }) => status === 'sold')
  const offered = isExpired ? 'expired' : 'active'
  return {
    id: idAt(random, createdAt),
    dealer,
    type: vehicles.length === 1 ? 'single' : 'multiple',
    ...writePost(random, dealer, vehicles),
    status: gone ? 'sold' : offered,
    auctionFacilitator: random.pick(auctionFacilitators),
    vehicles,
    createdAt,
  }
}

const lotMin = 24
const lotMax = 34
const lotDays = 16

/** Creates fleet lots with at least `vehicles` vehicles, so that Find shows realistic counts. Pass a `random` of its own. */
export function makeLots(random: Random, dealers: readonly KnownDealer[], vehicles: number, now: Date): DemoPost[] {
  const sellers = dealers.filter(({ role }) => role === 'dealer').slice(12)
  const lots: DemoPost[] = []
  for (let left = vehicles; left > 0; left -= lots.at(-1)?.vehicles.length ?? left) {
    const dealer = random.pick(sellers)
    const createdAt = new Date(now.getTime() - (2 + random.next() * lotDays) * dayMs)
    const year = createdAt.getFullYear()
    const first = makeVehicle(random, year)
    const wanted = wantedBy(random.next(), first)
    const others = Array.from({ length: random.int(lotMin, lotMax) - 1 }, () => makeVehicle(random, year, wanted))
    const lot = [first, ...others].map((vehicle): KnownVehicle => {
      const status = random.chance(0.05) ? 'sold' : 'available'
      return { ...vehicle, id: idAt(random, createdAt), status }
    })
    lots.push({
      id: idAt(random, createdAt),
      dealer,
      type: 'multiple',
      ...writePost(random, dealer, lot),
      status: 'active',
      auctionFacilitator: random.pick(auctionFacilitators),
      vehicles: lot,
      createdAt,
    })
  }
  return lots
}

const fleetSize = 10

/** Creates a lot of F-150s with few miles, so that the phrase that the demo suggests for Find has results. Pass a `random` of its own. */
export function makeFleet(random: Random, dealers: readonly KnownDealer[], now: Date): DemoPost {
  const dealer = random.pick(dealers.filter(({ role }) => role === 'dealer').slice(12))
  const createdAt = new Date(now.getTime() - 3 * dayMs)
  const vehicles = Array.from({ length: fleetSize }, (): KnownVehicle => {
    const wanted = { make: 'Ford', model: 'F-150', year: random.int(2019, 2021), mileage: random.int(21_000, 39_500) }
    const vehicle = makeVehicle(random, createdAt.getFullYear(), wanted)
    return { ...vehicle, id: idAt(random, createdAt), status: 'available' }
  })
  return {
    id: idAt(random, createdAt),
    dealer,
    type: 'multiple',
    ...writePost(random, dealer, vehicles),
    status: 'active',
    auctionFacilitator: random.pick(auctionFacilitators),
    vehicles,
    createdAt,
  }
}

function wantedBy(theme: number, { body, make }: DemoVehicle): Partial<DemoVehicle> | undefined {
  if (theme < 0.45) return { body }
  return theme < 0.75 ? { make } : undefined
}

function pickVehicles(random: Random, at: Date): DemoVehicle[] {
  const year = at.getFullYear()
  const first = makeVehicle(random, year)
  if (random.chance(0.64)) return [first]
  const theme = random.next()
  const wanted = wantedBy(theme, first)
  const count = 2 + Math.floor(random.next() ** 1.5 * 11)
  return [first, ...Array.from({ length: count - 1 }, () => makeVehicle(random, year, wanted))]
}
