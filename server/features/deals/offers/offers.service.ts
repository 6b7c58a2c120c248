import type { NewOffer, Offer, OfferAct, OfferTerms } from '#shared/schemas/deals.ts'
import { formatMoney } from '#shared/format.ts'
import { offerAnswerMs } from '#shared/limits.ts'
import { badRequest, conflict, forbidden, notFound } from '#server/errors.ts'
import { buyFeeNow, type StoredBuyFee, toBuyFee } from '#server/features/dealers/buy-fee.rows.ts'
import { findDealer } from '#server/features/dealers/dealers.service.ts'
import { buyFeeOf, requireMayTrade } from '#server/features/dealers/licenses.service.ts'
import { requireOffering } from '#server/features/entitlements/entitlements.service.ts'
import {
  lockForSale,
  findAndLockPost,
  type AuctionWithVehicle,
  lockAuctionAndVehicle,
  finishAuction,
  isLotForSale,
} from '#server/features/sale/sale.service.ts'
import { requireOrderTakes, vehicleAnswered } from '#server/features/wanted/order-answers.service.ts'
import type { DemandOffer } from '#shared/schemas/wanted.ts'
import { requireTaker } from '#server/features/wanted/demand/demand.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { brokenConstraint, type Db, type Tx } from '#server/platform/database/db.ts'
import { centsOf, dollarsOf } from '#server/platform/money.ts'
import { once } from '#server/platform/run-once.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { isSuspendedAt } from '#server/platform/database/suspension.ts'
import { sweepEach } from '#server/platform/database/sweep-rows.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { openDeal } from '../deal-opening.service.ts'
import {
  declineOthers,
  endOpenOf,
  expireOverdue,
  findOffer,
  findOfferable,
  findOfferByKey,
  fromNow,
  insertOffer,
  findSale,
  listAuctionOffers,
  listOverdue,
  lockOffer,
  updateOffer,
  withdrawOpen,
} from './offers.repository.ts'
import { notifyOfOffer } from './offer-notices.service.ts'
import { toOffer, type StoredOffer } from './offers.rows.ts'

export async function openAuctionOffers(db: Db, sellerId: string): Promise<Map<string, string>> {
  const offers = await listAuctionOffers(db, sellerId)
  return new Map(offers.map(({ postId, id }) => [postId, id]))
}

const offerLimit = { name: 'offers', max: 30, seconds: 600 }

/** Creates an offer from the highest bid below the reserve, so that the seller can decide on it. */
export async function offerFromAuction(
  tx: Tx,
  emit: Emit,
  sale: { postId: string; sellerId: string; buyerId: string; amountCents: number } & StoredBuyFee,
): Promise<string> {
  const offer = await insertOffer(tx, { ...sale, vehicleId: null, source: 'auction' })
  await notifyOfOffer(tx, emit, offer, null, 'reserve_not_met')
  return offer.id
}

export const offerTerms = async (ctx: Context): Promise<OfferTerms> => ({
  buyFee: toBuyFee(await buyFeeOf(ctx.db)),
})

/**
 * Makes an offer on a vehicle. Repeating a request with the same key returns the first result.
 * @throws 404 if the vehicle does not exist or the buy order belongs to another dealer; 403 if it is the dealer's own vehicle or the dealer
 * may not trade; 402 without a plan; 409 if the vehicle is not for sale, the buy order does not accept the offer, or the dealer already has
 * an open offer on the vehicle; 429 after too many offers
 */
export async function makeOffer(
  ctx: Context,
  actor: Actor,
  postId: string,
  { vehicleId, amount, buyOrderId }: NewOffer,
  key: string | undefined,
): Promise<Offer> {
  const findKnown = async () => {
    const known = key === undefined ? undefined : await findOfferByKey(ctx.db, actor.dealerId, key)
    return known && toOffer(known)
  }
  return once(findKnown, async () => {
    await requireOfferable(ctx.db, actor, postId, vehicleId)
    await requireOffering(ctx, actor.dealerId)
    await requireMayTrade(ctx.db, actor.dealerId)
    await ctx.limiter.consume(offerLimit, actor.dealerId)
    const make = ctx.transact(async (tx, emit) => {
      await lockForSale(tx, postId)
      // Check again while the post is locked, because the vehicle may have been sold or put up for auction.
      const { sellerId, askedCents } = await requireOfferable(tx, actor, postId, vehicleId)
      const amountCents = centsOf(amount)
      const sale = { postId, vehicleId, sellerId, buyerId: actor.dealerId, amountCents }
      if (buyOrderId !== undefined)
        await requireOrderTakes(tx, actor.dealerId, { orderId: buyOrderId, amountCents, askedCents }, ctx.now())
      const offer = await insertOffer(tx, {
        ...sale,
        ...buyFeeNow,
        source: 'offer',
        idempotencyKey: key ?? null,
        buyOrderId: buyOrderId ?? null,
      })
      await vehicleAnswered(tx, actor.dealerId, vehicleId)
      await notifyOfOffer(tx, emit, offer, actor.dealerId, 'offered')
      return offer.id
    })
    const id = await make.catch(orConflict('You already have an open offer on this vehicle'))
    return toOffer(await findOffer(ctx.db, id))
  })
}

const orConflict =
  (message: string) =>
  (error: unknown): never => {
    throw brokenConstraint(error) === 'offers_open' ? conflict(message) : error
  }

/**
 * Makes an offer to a buyer. The caller must check that the buy order accepts the vehicle.
 * @throws 403 if the seller may not trade; 409 if the vehicle is not for sale or the two dealers have an open offer on it; 429
 */
async function offerToBuyer(
  ctx: Context,
  actor: Actor,
  sale: { postId: string; vehicleId: string; buyerId: string; amountCents: number; buyOrderId: string },
): Promise<Offer> {
  await requireMayTrade(ctx.db, actor.dealerId)
  await ctx.limiter.consume(offerLimit, actor.dealerId)
  const make = ctx.transact(async (tx, emit) => {
    await lockForSale(tx, sale.postId)
    requireForSale(await findOfferable(tx, sale.postId, sale.vehicleId))
    const sellers = { sellerId: actor.dealerId, source: 'offer', turn: 'buyer' } as const
    const offer = await insertOffer(tx, { ...sale, ...buyFeeNow, ...sellers })
    await notifyOfOffer(tx, emit, offer, actor.dealerId, 'offered')
    return offer.id
  })
  const id = await make.catch(orConflict('You and this dealer already have an open offer on this vehicle'))
  return toOffer(await findOffer(ctx.db, id))
}

/** @throws 404 if the vehicle does not exist; 403 if it is the dealer's own vehicle; 409 if it is not for sale */
async function requireOfferable(db: Db, actor: Actor, postId: string, vehicleId: string) {
  const vehicle = await findOfferable(db, postId, vehicleId)
  if (vehicle?.sellerId === actor.dealerId) throw forbidden('You cannot make an offer on your own vehicle')
  return requireForSale(vehicle)
}

/** @throws 404 if the vehicle does not exist; 409 if it is not for sale */
function requireForSale(vehicle: Awaited<ReturnType<typeof findOfferable>>) {
  if (vehicle === undefined) throw notFound('This vehicle')
  if (vehicle.auctionStatus === 'open') throw conflict('This vehicle is in a live auction. Bid on it there')
  if (vehicle.auctionStatus === 'deciding')
    throw conflict('The seller is deciding on the highest bid in this vehicle’s auction')
  if (vehicle.isSuspended || vehicle.status !== 'available' || vehicle.postStatus !== 'active')
    throw unavailableVehicle()
  return vehicle
}

/** @throws 409 if the vehicle is no longer for sale */
async function requireStillForSale(tx: Tx, { postId, vehicleId, source }: StoredOffer): Promise<void> {
  if (source === 'auction') {
    const post = await findAndLockPost(tx, postId)
    if (post?.status !== 'active' || !(await isLotForSale(tx, postId))) throw unavailableVehicle()
    return
  }
  const vehicle = vehicleId === null ? undefined : await findOfferable(tx, postId, vehicleId)
  if (vehicle === undefined) throw unavailableVehicle()
  requireForSale(vehicle)
}

const unavailableVehicle = () => conflict('This vehicle is no longer available')

function assertMayAct(offer: StoredOffer & { expired: boolean }, actor: Actor, act: OfferAct): void {
  if (offer.status !== 'open' || offer.expired) throw conflict('This offer is no longer open')
  const side = offer.sellerId === actor.dealerId ? 'seller' : 'buyer'
  const mine = offer.turn === side
  if (act === 'withdraw') {
    if (mine) throw forbidden('The offer needs your answer: accept, counter or decline it')
    if (offer.source === 'auction' && side === 'buyer') throw forbidden('A bid cannot be withdrawn')
  } else if (!mine) throw forbidden('The offer is waiting for the other dealer')
}

async function accept(tx: Tx, emit: Emit, actor: Actor, offer: StoredOffer, read: number | undefined): Promise<void> {
  if (read === undefined) throw badRequest('Send the amount you accept')
  if (centsOf(read) !== offer.amountCents)
    throw conflict(
      `The offer is now ${formatMoney(dollarsOf(offer.amountCents))}. Check the new amount before you accept`,
    )
  const dealId = await openDeal(tx, emit, {
    postId: offer.postId,
    vehicleId: offer.vehicleId ?? undefined,
    sellerId: offer.sellerId,
    buyerId: offer.buyerId,
    amountCents: offer.amountCents,
    buyFeeCents: offer.buyFeeCents,
    buyFeeBasisPoints: offer.buyFeeBasisPoints,
    source: offer.source === 'auction' ? 'auction' : 'offer',
    actorId: actor.dealerId,
  })
  if (dealId === undefined) throw unavailableVehicle()
  const accepted = await updateOffer(tx, offer.id, { status: 'accepted', dealId })
  await notifyOfOffer(tx, emit, accepted, actor.dealerId, 'accepted')
  if (offer.vehicleId !== null)
    for (const other of await declineOthers(tx, offer.vehicleId, offer.id))
      await notifyOfOffer(tx, emit, other, null, 'declined')
}

/** A suspended buyer cannot close a deal. The offer stays open until it expires. @throws 409 if the buyer is suspended */
async function requireBuyerActive(tx: Tx, { dealerId }: Actor, { buyerId }: StoredOffer, now: Date): Promise<void> {
  const buyer = buyerId === dealerId ? undefined : await findDealer(tx, buyerId)
  if (buyer && isSuspendedAt(buyer, now))
    throw conflict('This dealer cannot buy right now. Decline the offer or answer it later')
}

/** A counteroffer has the same requirements as a new offer. @throws 403 if the dealer may not trade; 402 if a buyer has no plan */
async function requireMayCounter(tx: Tx, { dealerId }: Actor, { buyerId }: StoredOffer): Promise<void> {
  await requireMayTrade(tx, dealerId)
  if (buyerId === dealerId) await requireOffering({ db: tx }, dealerId)
}

async function counter(tx: Tx, emit: Emit, actor: Actor, offer: StoredOffer, amountCents: number): Promise<void> {
  const turn = offer.turn === 'seller' ? 'buyer' : 'seller'
  const countered = await updateOffer(tx, offer.id, { turn, amountCents, expiresAt: fromNow(offerAnswerMs) })
  await notifyOfOffer(tx, emit, countered, actor.dealerId, 'countered')
}

async function end(
  tx: Tx,
  emit: Emit,
  actor: Actor,
  offer: StoredOffer,
  status: 'declined' | 'withdrawn',
): Promise<void> {
  await notifyOfOffer(tx, emit, await updateOffer(tx, offer.id, { status }), actor.dealerId, status)
}

const needsOpenSale: ReadonlySet<OfferAct> = new Set(['accept', 'counter'])
const undecided: ReadonlySet<string> = new Set(['open', 'deciding'])

const auctionDecides = (
  { source, isForLot }: { source: string; isForLot: boolean },
  auction: AuctionWithVehicle,
): boolean => source === 'offer' && isForLot && undecided.has(auction?.status ?? '')

/** Locks the auction, the post and then the offer. @throws 404 unless the caller is a party to the offer */
async function lockOfferAndPost(tx: Tx, actor: Actor, offerId: string) {
  const sale = await findSale(tx, actor.dealerId, offerId)
  if (sale === undefined) throw notFound('This offer')
  const auction = await lockAuctionAndVehicle(tx, sale.postId, sale.sellerId)
  await lockForSale(tx, sale.postId)
  const offer = await lockOffer(tx, actor.dealerId, offerId)
  if (offer === undefined) throw notFound('This offer')
  return { offer, auction }
}

/** The buyer's answer to an offer also counts as an answer to the match of their buy order. */
async function answered(
  tx: Tx,
  { dealerId }: Actor,
  { buyerId, vehicleId }: StoredOffer,
  act: OfferAct,
): Promise<void> {
  if (buyerId === dealerId && vehicleId !== null && act !== 'withdraw') await vehicleAnswered(tx, dealerId, vehicleId)
}

const ended = { decline: 'declined', withdraw: 'withdrawn' } as const

/**
 * Accepts, counters, declines or withdraws an offer. The side whose turn it is answers. The other side may withdraw it, unless it is a bid.
 * @param amount the amount of a counteroffer; for accepting, the amount that the dealer saw, which must still be current
 * @throws 404 unless the caller is a party to the offer; 400 if `amount` is missing; 402 if a buyer counters without a plan; 403 if it is
 * the other side's turn; 409 if the offer is closed, has expired or has changed, the vehicle is not for sale, or the buyer is suspended
 */
export async function actOnOffer(
  ctx: Context,
  actor: Actor,
  offerId: string,
  act: OfferAct,
  amount: number | undefined,
): Promise<Offer> {
  if (act === 'counter' && amount === undefined) throw badRequest('Enter an amount for your counter')
  await ctx
    .transact(async (tx, emit) => {
      const { offer, auction } = await lockOfferAndPost(tx, actor, offerId)
      assertMayAct(offer, actor, act)
      await answered(tx, actor, offer, act)
      if (needsOpenSale.has(act) && auctionDecides(offer, auction))
        throw conflict('This vehicle is in a live auction, so the offer cannot be accepted or countered')
      if (needsOpenSale.has(act)) {
        await requireBuyerActive(tx, actor, offer, ctx.now())
        await requireStillForSale(tx, offer)
      }
      if (act === 'accept') await accept(tx, emit, actor, offer, amount)
      else if (act === 'counter') {
        await requireMayCounter(tx, actor, offer)
        await counter(tx, emit, actor, offer, centsOf(amount ?? 0))
      } else await end(tx, emit, actor, offer, ended[act])
      if (offer.source === 'auction' && act !== 'counter')
        await finishAuction(tx, emit, offer.postId, act === 'accept' ? 'sold' : 'no_sale')
    })
    .catch((error: unknown) => {
      if (brokenConstraint(error) === 'deals_living') throw unavailableVehicle()
      throw error
    })
  return toOffer(await findOffer(ctx.db, offerId))
}

/** Withdraws the buyer's open offers, including offers that an auction created from their bid. */
export async function withdrawOffersOf(tx: Tx, emit: Emit, buyerId: string): Promise<void> {
  for (const offer of await withdrawOpen(tx, buyerId)) {
    await notifyOfOffer(tx, emit, offer, buyerId, 'withdrawn')
    if (offer.source === 'auction') await finishAuction(tx, emit, offer.postId, 'no_sale')
  }
}

/** Ends the seller's open offers, including offers that an auction created. The caller must remove the posts first. */
export async function endOffersOf(tx: Tx, emit: Emit, sellerId: string): Promise<void> {
  for (const offer of await endOpenOf(tx, sellerId)) {
    await notifyOfOffer(tx, emit, offer, sellerId, 'removed')
    if (offer.source === 'auction') await finishAuction(tx, emit, offer.postId, 'no_sale')
  }
}

/** Ends offers that have expired. Safe to run concurrently. */
export const expireOffers = async (ctx: Context): Promise<void> =>
  sweepEach(ctx, await listOverdue(ctx.db), 'an offer could not be ended', async (tx, emit, id) => {
    const offer = await expireOverdue(tx, id)
    if (offer === undefined) return
    await notifyOfOffer(tx, emit, offer, null, 'expired')
    if (offer.source === 'auction') await finishAuction(tx, emit, offer.postId, 'no_sale')
  })

/** @throws 404 if the vehicle is not the dealer's or the reference is invalid; 409 if the order no longer accepts it; 402; 429 */
export async function offerToOrder(ctx: Context, actor: Actor, asked: DemandOffer): Promise<Offer> {
  return offerToBuyer(ctx, actor, await requireTaker(ctx, actor, asked))
}
