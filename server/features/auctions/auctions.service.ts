import type { Auction, AuctionState, AuctionTerms, PlacedBid } from '#shared/schemas/auctions.ts'
import { bidHistoryMax } from '#shared/limits.ts'
import { formatMoney } from '#shared/format.ts'
import { conflict, forbidden, notFound, unauthorized, type AppError } from '#server/errors.ts'
import { biddingRefused, requirePosting } from '#server/features/entitlements/entitlements.service.ts'
import { biddingStopped } from '#server/features/dealers/bidding.service.ts'
import { emailUnconfirmed, licenseRequired, requireMayTrade } from '#server/features/dealers/licenses.service.ts'
import { refreshFind, queueMatching } from '#server/features/find/refresh-find.service.ts'
import { endOffersOnLot } from '#server/features/deals/offers/offer-notices.service.ts'
import { createBatches } from '#server/platform/database/statement-batches.ts'
import { readClock } from '#server/platform/process/clock.ts'
import type { Context } from '#server/platform/process/context.ts'
import { brokenConstraint, type Db } from '#server/platform/database/db.ts'
import { centsOf, dollarsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { publishStored } from '#server/platform/database/transact.ts'
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
  placeBids,
  updateTerms,
} from './auctions.repository.ts'
import { lockAuction, isLotForSale } from '#server/features/sale/sale.service.ts'
import { notForSale, setUpAuction, unreachableCents } from './auctions.policy.ts'
import { centsOrNull, toAuctionState } from './auctions.rows.ts'

const bidLimit = { name: 'bids', max: 30, seconds: 10 }

/** Returns the public state and the caller's own data. Only the seller sees the reserve. @throws 404 if the auction does not exist */
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
      ? { reserveAmount: reserveDollars(own.reserveCents), bidders: await listBidders(ctx.db, postId) }
      : null,
  }
}

export async function readStates(db: Db, postIds: string[]): Promise<Map<string, AuctionState>> {
  if (postIds.length === 0) return new Map()
  const rows = await listStates(db, postIds, 0)
  return new Map([...rows].map(([postId, row]) => [postId, toAuctionState(row)]))
}

/** @throws 409 if the dealer leads an auction or sells one that has a bid, because a bid binds both sides */
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

/** Returns the cents that a dealer has spent and committed today (day-use.sql). */
export const dayUse = (db: Db, dealerId: string) => findDayUse(db, dealerId)

/** Returns null if there is no reserve, or if the seller wants to decide. */
export function reserveDollars(cents: number | null): number | null {
  return cents === unreachableCents ? null : centsOrNull(cents)
}

/**
 * Changes the terms of an auction without bids. If it has ended, restarts it. Omitted amounts keep their values; an omitted start is now,
 * and an omitted end is 20 minutes after the start. Deletes preset maximums below a raised starting amount, and all if the buy fee changed.
 * @throws 404 if the auction does not exist; 403 if it belongs to another dealer; 400 if an amount or a time is invalid; 402 or 403 if it
 * would restart and the dealer may not post or trade; 409 if it has a bid, its post is inactive, or its vehicle is not for sale
 */
export async function changeTerms(ctx: Context, actor: Actor, postId: string, terms: AuctionTerms): Promise<Auction> {
  if ((await findState(ctx.db, postId, 0)) === undefined) throw notFound('This auction')
  await ctx.transact(async (tx, emit) => {
    // Read the auction under the lock, so that the kept terms cannot change in the meantime.
    const before = await lockAuction(tx, postId, actor.dealerId)
    if (before === undefined) throw forbidden('Only the seller can change this auction')
    if (before.status !== 'open' || before.isDue) {
      await requirePosting({ db: tx }, actor.dealerId)
      await requireMayTrade(tx, actor.dealerId)
    }
    const merged: AuctionTerms = {
      startAmount: dollarsOf(before.startCents),
      ...(before.reserveCents !== unreachableCents && { reserveAmount: centsOrNull(before.reserveCents) }),
      ...terms,
    }
    const setup = setUpAuction(merged, undefined, await readClock(tx))
    if (!(await isLotForSale(tx, postId))) throw notForSale()
    if (!(await updateTerms(tx, postId, setup)))
      throw conflict('The auction has a bid or its post is not active, so its terms cannot be changed')
    await refreshFind(tx, [postId])
    await endOffersOnLot(tx, emit, postId)
    await endPresetsBelow(tx, emit, postId, setup.startCents)
    const after = await lockAuction(tx, postId, actor.dealerId)
    if (!hasSameFee(before, after)) await endPresets(tx, emit, postId, { reason: 'the buy fee has changed' })
    await emit.job('auction.close', { postId }, { runAt: setup.endsAt, uniqueKey: postId })
    // The vehicle of a restarted auction can no longer be bought at its price, so its matches change.
    await queueMatching(emit, postId)
    await emit('auction.changed', { postId })
  })
  return readAuction(ctx, actor, postId)
}

type Fee = Pick<NonNullable<Awaited<ReturnType<typeof lockAuction>>>, 'buyFeeCents' | 'buyFeeBasisPoints'>

/** Bidders have agreed to the fee, so a changed fee invalidates their preset maximums. */
const hasSameFee = (one: Fee | undefined, other: Fee | undefined): boolean =>
  one?.buyFeeCents === other?.buyFeeCents && one?.buyFeeBasisPoints === other?.buyFeeBasisPoints

type BidBatcher = (request: BidRequest) => Promise<BidOutcome>

/** Publishes the changes of committed bids. The outbid notice is durable, and the live event is only a hint. */
export function publishMoved(ctx: Pick<Context, 'bus' | 'outbox'>, moved: AuctionMoved[]): void {
  for (const { postId, seq, priceCents, decidedAt, outboxId, outbid, title } of moved) {
    ctx.bus.publish('auction.decided', { postId, seq, decidedAt })
    publishStored(ctx, outboxId, 'auction.changed', { postId })
    for (const dealerId of outbid)
      ctx.bus.publish('auction.outbid', { postId, dealerId, title: title ?? '', amount: dollarsOf(priceCents), seq })
  }
}

/** Returns a function that places concurrent bids in batches. Bids on the same auction keep their order. */
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

/** Returns the dealer's total for today including this bid, and the day limit, in dollars. */
async function limitsOf({ db }: Context, { dealerId }: Actor, postId: string, cents: number) {
  const { limitCents, wonCents, committedCents, headroomCents } = await findDayUse(db, dealerId, postId)
  const used = dollarsOf(wonCents + committedCents + headroomCents + cents)
  // If the limit has just been removed, the next attempt will succeed.
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
 * Places a bid, or a maximum up to which the server bids in increments. Repeating a request with the same key returns the first result.
 * @throws 404 if the auction does not exist; 402 without a plan; 403 `email_unconfirmed` or `license_required`, or if bidding was stopped;
 * 409 `RefusedBid` with the current price, or if the key was used for another bid; 429 after too many bids
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
    // Each auction has its own lock, so only this constraint detects the same key in a concurrent bid on another auction.
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
