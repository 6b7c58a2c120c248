import { mentionsAuction } from '#shared/auction-rules.ts'
import { danaEmail } from '#server/features/auth/demo-accounts.ts'
import { idAt } from './ids.ts'
import { dayMs, findKnown, type KnownDealer } from './known-dealers.ts'
import { type DemoPost, type KnownVehicle } from './network-posts.ts'
import { seededRandom, type Random } from './random.ts'

export type DealStatus = 'pending' | 'approved' | 'cancelled' | 'completed'

export interface DemoDeal {
  id: string
  postId: string | null
  vehicleId: string | null
  sellerId: string
  buyerId: string
  status: DealStatus
  year: number
  make: string
  model: string
  vin: string
  mileage: number
  priceCents: number
  location: string
  createdAt: Date
  completedAt: Date | null
}

const dealsPerDana = 13
const otherDeals = 220
const slowestDays = 5
const paceSeed = 2_311

/** Creates deals in every status. Dana, the main demo dealer, buys in some and sells in others. */
export function makeDeals(
  random: Random,
  dealers: readonly KnownDealer[],
  posts: readonly DemoPost[],
  now: Date,
): DemoDeal[] {
  const dana = findKnown(dealers, danaEmail)
  const named = dealers.slice(1, 9)
  // Exclude posts with an auction, because their vehicles cannot be sold in any other way.
  const offers = posts
    .filter((post) => !mentionsAuction(post))
    .flatMap((post) => post.vehicles.map((vehicle) => ({ post, vehicle })))
  const ofDana = random.sample(
    offers.filter(({ post }) => post.dealer === dana),
    Math.ceil(dealsPerDana / 2),
  )
  const ofNamed = random.sample(
    offers.filter(({ post }) => named.includes(post.dealer)),
    Math.floor(dealsPerDana / 2),
  )
  const rest = random.sample(
    offers.filter(({ post }) => post.dealer !== dana),
    otherDeals,
  )
  const buyers = dealers.filter(({ role }) => role === 'dealer')
  const struck = [
    ...ofDana.map(({ post, vehicle }, index) =>
      strike(random, post, vehicle, named[index % named.length] ?? dana, now),
    ),
    ...ofNamed.map(({ post, vehicle }) => strike(random, post, vehicle, dana, now)),
    ...rest.map(({ post, vehicle }) => strike(random, post, vehicle, random.pick(buyers), now)),
  ].filter(({ sellerId, buyerId }) => sellerId !== buyerId)
  const pace = seededRandom(paceSeed)
  return soldOnce(struck).map((deal) => ({
    ...deal,
    completedAt: deal.status === 'completed' ? closeOf(pace, deal, now) : null,
  }))
}

/** Cancels every deal on a vehicle except the first that is not cancelled anyway. */
function soldOnce<Deal extends Pick<DemoDeal, 'vehicleId' | 'status'>>(deals: readonly Deal[]): Deal[] {
  const taken = new Set<string | null>()
  return deals.map((deal) => {
    if (deal.status === 'cancelled') return deal
    if (taken.has(deal.vehicleId)) return { ...deal, status: 'cancelled' }
    taken.add(deal.vehicleId)
    return deal
  })
}

/** Marks vehicles in open deals as pending. */
export function reserve(posts: readonly DemoPost[], deals: readonly DemoDeal[]): DemoPost[] {
  const open = deals.filter(({ status }) => status === 'pending' || status === 'approved')
  const reserved = new Set(open.map(({ vehicleId }) => vehicleId))
  return posts.map((post) => ({
    ...post,
    vehicles: post.vehicles.map((vehicle) => (reserved.has(vehicle.id) ? { ...vehicle, status: 'pending' } : vehicle)),
  }))
}

/** Returns a time up to five days after the deal was created, but never in the future. */
export function closeOf(pace: Random, { createdAt }: Pick<DemoDeal, 'createdAt'>, now: Date): Date {
  const wanted = (0.2 + 0.8 * pace.next()) * slowestDays * dayMs
  return new Date(createdAt.getTime() + Math.min(wanted, (now.getTime() - createdAt.getTime()) * 0.9))
}

function strike(random: Random, post: DemoPost, vehicle: KnownVehicle, buyer: KnownDealer, now: Date) {
  const open = now.getTime() - post.createdAt.getTime()
  const createdAt = new Date(post.createdAt.getTime() + random.next() * Math.min(open, 9 * dayMs))
  return {
    id: idAt(random, createdAt),
    postId: post.id,
    vehicleId: vehicle.id,
    sellerId: post.dealer.id,
    buyerId: buyer.id,
    status: statusOf(random, vehicle),
    year: vehicle.year,
    make: vehicle.make,
    model: vehicle.model,
    vin: vehicle.vin,
    mileage: vehicle.mileage,
    priceCents: Math.round((vehicle.priceCents * (0.95 + random.next() * 0.05)) / 5_000) * 5_000,
    location: `${post.dealer.city}, ${post.dealer.state}`,
    createdAt,
  }
}

function statusOf(random: Random, vehicle: KnownVehicle): DealStatus {
  if (vehicle.status === 'sold') return 'completed'
  if (vehicle.status === 'pending') return random.pick(['pending', 'approved'])
  return random.pick(['pending', 'pending', 'approved', 'cancelled'])
}
