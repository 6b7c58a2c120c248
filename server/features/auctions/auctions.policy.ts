import type { AuctionTerms } from '#shared/schemas/auctions.ts'
import type { EndsAuction } from '#shared/schemas/posts.ts'
import {
  auctionAheadMaxMs,
  auctionDefaultMs,
  auctionMaxMs,
  auctionMinMs,
  bidMaxDollars,
  hardEndAfterMs,
} from '#shared/limits.ts'
import { badRequest, conflict } from '#server/errors.ts'
import { centsOf } from '#server/platform/money.ts'
import type { AuctionSetup } from './auctions.repository.ts'

/** Stored as the reserve if the seller wants to decide. No bid can reach this amount. */
export const unreachableCents = centsOf(bidMaxDollars)

/** The error that asks the seller to confirm a change that would end the auction. */
export const endsAuction = () => {
  const details: EndsAuction = { code: 'ENDS_AUCTION' }
  return conflict('This change would end the auction on this post. Send endAuction: true to confirm', details)
}

export const notForSale = () => conflict('The vehicle is not for sale right now, so bidding cannot open')

const roundToCents = 50_000
const defaultStartShare = 0.6
const minuteMs = 60_000
/** Tolerance for inaccurate browser clocks. A start that is at most this far in the past counts as "now". */
const startSlackMs = 5 * minuteMs

/** Defaults to 60% of the asking price, because a low start attracts bids and the reserve protects the price. */
function defaultStart(askingCents: number | undefined): number {
  return Math.max(roundToCents, Math.floor(((askingCents ?? 0) * defaultStartShare) / roundToCents) * roundToCents)
}

function period(terms: AuctionTerms, now: Date): { startsAt: Date; endsAt: Date } {
  const requestedStart = terms.startsAt === undefined ? now : new Date(terms.startsAt)
  if (requestedStart.getTime() < now.getTime() - startSlackMs) throw badRequest('The auction cannot start in the past')
  if (requestedStart.getTime() > now.getTime() + auctionAheadMaxMs)
    throw badRequest('The auction must start within 30 days')
  const startsAt = requestedStart < now ? now : requestedStart
  const endsAt = terms.endsAt === undefined ? new Date(startsAt.getTime() + auctionDefaultMs) : new Date(terms.endsAt)
  const length = endsAt.getTime() - startsAt.getTime()
  if (length < auctionMinMs) throw badRequest('The auction must run for at least a minute')
  if (length > auctionMaxMs) throw badRequest('The auction can run for up to 14 days')
  return { startsAt, endsAt }
}

function reserveOf({ reserveAmount }: AuctionTerms, unnamedCents: number): number | null {
  if (reserveAmount === undefined) return unnamedCents
  return reserveAmount === null ? null : centsOf(reserveAmount)
}

/** The default reserve is the asking price. Without an asking price, the seller decides. @throws 400 if an amount or a time is invalid */
export function setUpAuction(terms: AuctionTerms, askingCents: number | undefined, now: Date): AuctionSetup {
  const startCents = terms.startAmount === undefined ? defaultStart(askingCents) : centsOf(terms.startAmount)
  const reserveCents = reserveOf(terms, askingCents ?? unreachableCents)
  if (startCents < 1) throw badRequest('The starting amount is too low')
  if (terms.reserveAmount !== undefined && reserveCents !== null && reserveCents < startCents)
    throw badRequest('The reserve cannot be below the starting amount')
  const { startsAt, endsAt } = period(terms, now)
  return { startCents, reserveCents, startsAt, endsAt, hardEndsAt: new Date(endsAt.getTime() + hardEndAfterMs) }
}
