import { offerAnswerMs } from '#shared/limits.ts'
import { documentKinds, type DealStatus } from '#shared/schemas/deals.ts'
import { idAt } from '#server/db/seed/ids.ts'
import type { Random } from '#server/db/seed/random.ts'
import type { DemoVehicle } from '#server/db/seed/vehicles.ts'
import type { PastTrade } from '#server/features/deals/deals-demo.service.ts'
import { drawVehicle, type OwnPost } from './account-posts.ts'
import type { CastMember, DrawnVehicle, KnownPost } from './demo.repository.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export interface Dealing {
  random: Random
  now: Date
  me: CastMember
  drawn: readonly DrawnVehicle[]
}

interface Sale {
  status: DealStatus
  seller: CastMember
  buyer: CastMember
  vehicle: DemoVehicle
  post?: OwnPost
  priceCents: number
  createdAt: Date
  endedAt?: Date
}

/** Returns a share of the price, rounded to $50. */
const priceAt = ({ priceCents }: { priceCents: number }, share: number): number =>
  Math.round((priceCents * share) / 5_000) * 5_000

const isApproved = (status: DealStatus): boolean => status === 'approved' || status === 'completed'

const approvedAtOf = ({ createdAt }: Sale): Date => new Date(createdAt.getTime() + 3 * hourMs)

function addDeal(random: Random, trade: PastTrade, sale: Sale): string {
  const { status, seller, buyer, vehicle, post, priceCents, createdAt, endedAt } = sale
  const id = idAt(random, createdAt)
  const approvedAt = isApproved(status) ? approvedAtOf(sale) : null
  const { vin, year, make, model, trim, color, mileage } = vehicle
  trade.deals.push({
    id,
    ...(post && { postId: post.id, vehicleId: post.vehicleId }),
    sellerId: seller.id,
    buyerId: buyer.id,
    status,
    priceCents,
    vin,
    year,
    make,
    model,
    trim,
    color,
    mileage,
    location: `${seller.city}, ${seller.state}`,
    createdAt,
    updatedAt: endedAt ?? approvedAt ?? createdAt,
    approvedAt,
    completedAt: (status === 'completed' && endedAt) || null,
  })
  const step = { dealId: id, actorId: seller.id, amountCents: null }
  trade.steps.push({ ...step, kind: 'accepted', amountCents: priceCents, at: createdAt })
  if (approvedAt) trade.steps.push({ ...step, kind: 'approved', at: approvedAt })
  if (endedAt) close(trade, id, sale, endedAt)
  return id
}

function close(trade: PastTrade, dealId: string, sale: Sale, endedAt: Date): void {
  const { seller, buyer } = sale
  const step = (kind: string, { id: actorId }: CastMember, at: Date) =>
    void trade.steps.push({ dealId, actorId, kind, amountCents: null, at })
  const approved = approvedAtOf(sale).getTime()
  for (const [index, party] of [seller, buyer].entries()) {
    const signedAt = new Date(approved + (endedAt.getTime() - approved) * (0.4 + index * 0.3))
    for (const kind of documentKinds) {
      trade.signatures.push({ dealId, kind, dealerId: party.id, name: party.name, address: '', signedAt })
      step(`signed_${kind}`, party, signedAt)
    }
  }
  step('completed', buyer, endedAt)
}

interface Bargain {
  postId: string
  vehicleId: string
  seller: CastMember
  buyer: CastMember
  cents: readonly number[]
  minutesAgo: number
}

/** Adds an open offer. `cents` alternates between the buyer's and the seller's prices. */
function addOpenOffer(
  { random, now }: Dealing,
  trade: PastTrade,
  { postId, vehicleId, seller, buyer, cents, minutesAgo }: Bargain,
) {
  const createdAt = new Date(now.getTime() - minutesAgo * minuteMs)
  const updatedAt = new Date(now.getTime() - (minutesAgo / cents.length) * minuteMs)
  const id = idAt(random, createdAt)
  trade.offers.push({
    id,
    postId,
    vehicleId,
    sellerId: seller.id,
    buyerId: buyer.id,
    amountCents: cents.at(-1) ?? 0,
    turn: cents.length % 2 === 1 ? 'seller' : 'buyer',
    version: cents.length,
    createdAt,
    updatedAt,
    expiresAt: new Date(updatedAt.getTime() + offerAnswerMs),
  })
  for (const [index, amountCents] of cents.entries())
    trade.steps.push({
      offerId: id,
      actorId: (index % 2 === 0 ? buyer : seller).id,
      kind: index === 0 ? 'offered' : 'countered',
      amountCents,
      at: index === 0 ? createdAt : updatedAt,
    })
  return id
}

export interface Partners {
  /** The dealer who made an offer on the account's newest post. */
  offers: CastMember
  pending: CastMember
  approved: CastMember
  bought: CastMember
  past: readonly CastMember[]
}

export interface Traded {
  trade: PastTrade
  done: { dealId: string; other: CastMember; at: Date }[]
  withPapers: string[]
  offer: { id: string; cents: number; minutesAgo: number }
  /** The account's own offer and the seller's counteroffer. Undefined if no post is suitable. */
  counter: { post: KnownPost; seller: CastMember; cents: readonly [number, number]; minutesAgo: number } | undefined
  pendingCents: number
}

const pastDays = [47, 63, 88, 121, 154] as const

export function writeTrade(
  dealing: Dealing,
  own: readonly OwnPost[],
  partners: Partners,
  wanted: { post: KnownPost; seller: CastMember } | undefined,
): Traded {
  const { random, now, me } = dealing
  const trade: PastTrade = { deals: [], offers: [], steps: [], signatures: [] }
  const postIn = (state: OwnPost['state']) => own.find((post) => post.state === state)
  const ago = (hours: number) => new Date(now.getTime() - hours * hourMs)
  const [done, withPapers]: [Traded['done'], string[]] = [[], []]
  const sell = (state: OwnPost['state'], buyer: CastMember, rest: Pick<Sale, 'status' | 'createdAt' | 'endedAt'>) => {
    const post = postIn(state)
    if (post === undefined) return { id: '', priceCents: 0 }
    const priceCents = priceAt(post.vehicle, 0.96)
    return {
      id: addDeal(random, trade, { seller: me, buyer, vehicle: post.vehicle, post, priceCents, ...rest }),
      priceCents,
    }
  }
  const pending = sell('pending', partners.pending, { status: 'pending', createdAt: ago(49) })
  withPapers.push(sell('approved', partners.approved, { status: 'approved', createdAt: ago(51) }).id)
  const sold = sell('sold', partners.bought, { status: 'completed', createdAt: ago(220), endedAt: ago(190) })
  withPapers.push(sold.id)
  done.push({ dealId: sold.id, other: partners.bought, at: ago(190) })
  for (const [index, other] of partners.past.slice(0, pastDays.length).entries()) {
    const createdAt = ago((pastDays[index] ?? 0) * 24)
    const [seller, buyer] = index % 2 === 0 ? [other, me] : [me, other]
    const { vehicle } = drawVehicle({ ...dealing, now: createdAt })
    const endedAt = new Date(createdAt.getTime() + (1 + random.next() * 3) * dayMs)
    const sale: Sale = {
      status: 'completed',
      seller,
      buyer,
      vehicle,
      priceCents: priceAt(vehicle, 0.97),
      createdAt,
      endedAt,
    }
    const dealId = addDeal(random, trade, sale)
    done.push({ dealId, other, at: endedAt })
  }
  const newest = postIn('offered')
  const offer = { id: '', cents: newest ? priceAt(newest.vehicle, 0.93) : 0, minutesAgo: 34 }
  if (newest) {
    const { id: postId, vehicleId } = newest
    const { cents, minutesAgo } = offer
    offer.id = addOpenOffer(dealing, trade, {
      postId,
      vehicleId,
      seller: me,
      buyer: partners.offers,
      cents: [cents],
      minutesAgo,
    })
  }
  const counter = wanted && {
    ...wanted,
    cents: [priceAt(wanted.post, 0.92), priceAt(wanted.post, 0.97)] as const,
    minutesAgo: 130,
  }
  if (counter) {
    const { id: postId, vehicleId } = counter.post
    const { seller, cents, minutesAgo } = counter
    addOpenOffer(dealing, trade, { postId, vehicleId, seller, buyer: me, cents, minutesAgo })
  }
  return { trade, done, withPapers, offer, counter, pendingCents: pending.priceCents }
}
