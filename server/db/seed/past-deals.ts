import { idAt } from './ids.ts'
import { dayMs, type KnownDealer } from './known-dealers.ts'
import { closeOf, type DemoDeal } from './network-deals.ts'
import { seededRandom, type Random } from './random.ts'
import { makeVehicle } from './vehicles.ts'

const pastSeed = 8_317
/** Minimum age of past deals in days. The posts of older deals have expired; newer deals belong to posts that still exist. */
const newestDays = 35
/** A dealer's number of past sales is about `trade` divided by this number. */
const tradePerSale = 16

/** Creates older deals without posts. Ratings, statistics and Canadian badges need them. */
export function makePastDeals(dealers: readonly KnownDealer[], now: Date): DemoDeal[] {
  const random = seededRandom(pastSeed)
  const traders = dealers.filter(({ role }) => role === 'dealer')
  return traders.flatMap((seller) =>
    Array.from({ length: Math.ceil(seller.trade / tradePerSale) }, () => {
      const buyer = random.pick(traders)
      return sell(random, seller, buyer, now)
    }).filter(({ buyerId }) => buyerId !== seller.id),
  )
}

function sell(random: Random, seller: KnownDealer, buyer: KnownDealer, now: Date): DemoDeal {
  const first = Math.max(seller.joinedAt.getTime(), buyer.joinedAt.getTime())
  const last = now.getTime() - newestDays * dayMs
  const createdAt = new Date(first + random.next() * (last - first))
  const { year, make, model, vin, mileage, priceCents } = makeVehicle(random, createdAt.getFullYear())
  return {
    id: idAt(random, createdAt),
    postId: null,
    vehicleId: null,
    sellerId: seller.id,
    buyerId: buyer.id,
    status: 'completed',
    year,
    make,
    model,
    vin,
    mileage,
    priceCents,
    location: `${seller.city}, ${seller.state}`,
    createdAt,
    completedAt: closeOf(random, { createdAt }, now),
  }
}
