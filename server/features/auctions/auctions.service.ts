import type { Auction, AuctionState, AuctionTerms, PlacedBid } from '#shared/schemas/auctions.ts'
import { bidHistoryMax } from '#shared/limits.ts'
import { formatMoney } from '#shared/format.ts'
import { conflict, forbidden, notFound, unauthorized, type AppError } from '#server/errors.ts'
import { biddingRefused, requirePosting } from '#server/features/billing/billing.policy.ts'
import { biddingStopped } from '#server/features/dealers/bidding.service.ts'
import { emailUnconfirmed, licenseRequired, requireMayTrade } from '#server/features/dealers/licenses.service.ts'
import { isLotForSale } from '#server/features/deals/deal-opening.service.ts'
import { refreshFind, tellMatched } from '#server/features/find/find-rows.service.ts'
import { endOffersOnLot } from '#server/features/deals/offers/offer-notices.service.ts'
import { createBatches } from '#server/platform/batches.ts'
import { readClock } from '#server/platform/clock.ts'
import type { Context } from '#server/platform/context.ts'
import { brokenConstraint, type Db } from '#server/platform/db.ts'
import { centsOf, dollarsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session.ts'
import { publishStored } from '#server/platform/transact.ts'
import { endPresets, endPresetsBelow } from './presets/auction-presets.service.ts'
import {
  type AuctionMoved,
  type BidBarred,
  type BidOutcome,
  type BidRefused,
  type BidRequest,
  findBinding,
  findDayUse,
  findOwnSide,
  findState,
  isBarred,
  listBidders,
  listStates,
  lockAuction,
  placeBids,
  updateTerms,
} from './auctions.repository.ts'
import { notForSale, setUpAuction, unreachableCents } from './auctions.policy.ts'
import { centsOrNull, toAuctionState } from './auctions.rows.ts'

const bidLimit = { name: 'bids', max: 30, seconds: 10 }

/** What everybody may know, and the caller's own side. Neither a reserve nor another's maximum is in it. @throws 404 */
export async function readAuction(ctx: Context, actor: Actor, postId: string): Promise<Auction> {
  const found = await findState(ctx.db, postId, bidHistoryMax)
  if (found === undefined) throw notFound('This auction')
  const own = await findOwnSide(ctx.db, postId, actor.dealerId)
  const isSeller = own.sellerId === actor.dealerId
  return {
    ...toAuctionState(found),
    you: {
      isSeller,
      number: own.number,
      maximum: own.leaderId === actor.dealerId ? centsOrNull(own.leaderMaxCents) : null,
      preset: centsOrNull(own.presetCents),
    },
    seller: isSeller
      ? { reserveAmount: shownReserve(own.reserveCents), bidders: await listBidders(ctx.db, postId) }
      : null,
  }
}

/** How these auctions stand, without their bids: what is not to be seen is not among them. */
export async function readStates(db: Db, postIds: string[]): Promise<Map<string, AuctionState>> {
  if (postIds.length === 0) return new Map()
  const rows = await listStates(db, postIds, 0)
  return new Map([...rows].map(([postId, row]) => [postId, toAuctionState(row)]))
}

/** A bid binds both sides. @throws 409 while the dealer leads an auction, or a bid stands on one of theirs */
export async function assertUnbound(db: Db, dealerId: string): Promise<void> {
  const bound = await findBinding(db, dealerId)
  if (bound === undefined) return
  const { title, sells } = bound
  throw conflict(
    sells
      ? `Your auction “${title}” has a binding bid. You can delete your account once it is decided`
      : `You have the leading bid on “${title}”, and bids are binding. You can delete your account once that auction has ended`,
  )
}

/** What a dealer has spent and bound today, in cents; day-use.sql says how. */
export const dayUse = (db: Db, dealerId: string) => findDayUse(db, dealerId)

/** A reserve out of reach stands for "I decide": there is no figure to show. */
export function shownReserve(cents: number | null): number | null {
  return cents === unreachableCents ? null : centsOrNull(cents)
}

/**
 * New terms while there is no bid, also to begin again after an end without one; absent amounts stay, absent times are
 * now and 20 minutes. Maximums at the start stay, but for those below a raised start, and where the network asks another buy fee by now.
 * @throws 403, 404, 402 and 403 `email_unconfirmed` or `license_required` as for a new post where it begins again, 409 once there is a bid, or while the
 * post is not active or its vehicle not for sale
 */
export async function changeTerms(ctx: Context, actor: Actor, postId: string, terms: AuctionTerms): Promise<Auction> {
  if ((await findState(ctx.db, postId, 0)) === undefined) throw notFound('This auction')
  await ctx.transact(async (tx, emit) => {
    // What is kept, and whether it begins again, is asked of the auction as nobody changes it meanwhile.
    const before = await lockAuction(tx, postId, actor.dealerId)
    if (before === undefined) throw forbidden('Only the seller can change this auction')
    if (before.status !== 'open' || before.isDue) {
      await requirePosting({ db: tx }, actor.dealerId)
      await requireMayTrade(tx, actor.dealerId)
    }
    const kept: AuctionTerms = {
      startAmount: dollarsOf(before.startCents),
      ...(before.reserveCents !== unreachableCents && { reserveAmount: centsOrNull(before.reserveCents) }),
      ...terms,
    }
    const setup = setUpAuction(kept, undefined, await readClock(tx))
    if (!(await isLotForSale(tx, postId))) throw notForSale()
    if (!(await updateTerms(tx, postId, setup)))
      throw conflict('The auction has a bid or its post is not active, so its terms cannot be changed')
    await refreshFind(tx, [postId])
    await endOffersOnLot(tx, emit, postId)
    await endPresetsBelow(tx, emit, postId, setup.startCents)
    const after = await lockAuction(tx, postId, actor.dealerId)
    if (!hasSameFee(before, after)) await endPresets(tx, emit, postId, { words: 'the buy fee has changed' })
    await emit.job('auction.close', { postId }, { runAt: setup.endsAt, uniqueKey: postId })
    // It may have begun again: what was offered at a price is not any more.
    await tellMatched(emit, postId)
    await emit('auction.changed', { postId })
  })
  return readAuction(ctx, actor, postId)
}

type Fee = Pick<NonNullable<Awaited<ReturnType<typeof lockAuction>>>, 'buyFeeCents' | 'buyFeeBasisPoints'>

/** What a winner pays beside the price is part of what they agreed to. */
const hasSameFee = (one: Fee | undefined, other: Fee | undefined): boolean =>
  one?.buyFeeCents === other?.buyFeeCents && one?.buyFeeBasisPoints === other?.buyFeeBasisPoints

/** Where the bids of this process are handed in; committed when it answers. */
type BidBatcher = (request: BidRequest) => Promise<BidOutcome>

/** Tells what bids have changed, once it is committed. The outbid dealer's notice is durable; the live word is a hint. */
export function publishMoved(ctx: Pick<Context, 'bus' | 'outbox'>, moved: AuctionMoved[]): void {
  for (const { postId, seq, priceCents, decidedAt, outboxId, outbid, title } of moved) {
    ctx.bus.publish('auction.decided', { postId, seq, decidedAt })
    publishStored(ctx, outboxId, 'auction.changed', { postId })
    for (const dealerId of outbid)
      ctx.bus.publish('auction.outbid', { postId, dealerId, title: title ?? '', amount: dollarsOf(priceCents), seq })
  }
}

/** Decides the bids of one auction in the order in which they came, those of several together. */
export function createBidBatcher(ctx: Context): BidBatcher {
  return createBatches<BidRequest, BidOutcome>(
    ({ postId }) => postId,
    async (requests, lockWaitMs) => {
      const { outcomes, moved } = await placeBids(ctx.db, requests, lockWaitMs)
      publishMoved(ctx, moved)
      for (const outcome of outcomes)
        if (outcome !== undefined) ctx.metrics.bids.inc({ outcome: outcome.refusal?.toLowerCase() ?? 'accepted' })
      return outcomes
    },
  )
}

const keyTaken = () => conflict('This idempotency key was already used for another bid')

const barred: Record<BidBarred['refusal'], () => AppError> = {
  GONE: unauthorized,
  STOPPED: biddingStopped,
  UNCONFIRMED: () => emailUnconfirmed(),
  LICENSE: licenseRequired,
  NO_PLAN: () => biddingRefused(false),
  OWING: () => biddingRefused(true),
  NONE: () => notFound('This auction'),
  KEY: keyTaken,
}

/** What a bid would bring the dealer to today, and the limit that it would pass. */
async function limitsOf({ db }: Context, { dealerId }: Actor, postId: string, cents: number) {
  const { limitCents, wonCents, committedCents, headroomCents } = await findDayUse(db, dealerId, postId)
  const used = dollarsOf(wonCents + committedCents + headroomCents + cents)
  // Taken away in this very moment: the next try will pass.
  return { used, limit: limitCents === null ? used : dollarsOf(limitCents) }
}

type Limits = Awaited<ReturnType<typeof limitsOf>>

function refusedAt(
  { refusal: code, priceCents, minNextCents, startsAt, endsAt, decidedAt }: BidRefused,
  limits?: Limits,
): AppError {
  const amount = centsOrNull(priceCents)
  const minNext = dollarsOf(minNextCents)
  const messages = {
    TOO_LOW:
      amount === null
        ? `Bid ${formatMoney(minNext)} or more`
        : `The bid is ${formatMoney(amount)}. Bid ${formatMoney(minNext)} or more`,
    CLOSED: decidedAt < startsAt ? 'Bidding has not started' : 'This auction is over',
    OWN: 'You cannot bid on your own auction',
    LEADING: "You're already leading. Set a maximum to stay ahead",
    LIMIT: `This would put you at ${formatMoney(limits?.used ?? 0)} of your ${formatMoney(limits?.limit ?? 0)} day limit`,
  }
  const times = { endsAt: endsAt.toISOString(), serverNow: decidedAt.toISOString() }
  return conflict(messages[code], { code, amount, minNext, ...times, ...limits })
}

/**
 * Places a bid, or sets a maximum that bids for the dealer one increment at a time. The same key gives the first answer
 * again, for ever. Plan, address, license and suspension are read in the deciding statement itself: none is ever out of date.
 * @throws 404 no such auction; 402 without a plan; 403 `email_unconfirmed` or `license_required`; 409 with the true price (RefusedBid), or for a key of another bid; 429.
 */
export async function bid(
  ctx: Context,
  batcher: BidBatcher,
  actor: Actor,
  { amount, ...request }: { postId: string; kind: 'bid' | 'max'; amount: number; key: string },
): Promise<PlacedBid> {
  const cents = centsOf(amount)
  await ctx.limiter.consume(bidLimit, actor.dealerId)
  const outcome = await batcher({ ...request, bidderId: actor.dealerId, cents }).catch((error: unknown) => {
    // The key went to another auction in the same moment: its lock is not this one's.
    if (brokenConstraint(error) === 'bid_receipts_pkey') throw keyTaken()
    throw error
  })
  if (outcome.refusal === null) {
    const { seq, priceCents, endsAt, leads: leading, bidderNumber: number } = outcome
    ctx.bus.publish('auction.placed', { postId: request.postId, dealerId: actor.dealerId })
    return { seq, amount: dollarsOf(priceCents), endsAt: endsAt.toISOString(), leading, number }
  }
  if (isBarred(outcome)) throw barred[outcome.refusal]()
  throw refusedAt(outcome, outcome.refusal === 'LIMIT' ? await limitsOf(ctx, actor, request.postId, cents) : undefined)
}
