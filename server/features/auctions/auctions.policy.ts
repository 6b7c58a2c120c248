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

/** A reserve out of reach: the seller decides. */
export const unreachableCents = centsOf(bidMaxDollars)

/** Refused until the seller confirms it. */
export const endsAuction = () => {
  const details: EndsAuction = { code: 'ENDS_AUCTION' }
  return conflict('This change would end the auction of this post. Send endAuction: true to confirm', details)
}

export const notForSale = () => conflict('The vehicle is not for sale right now, so bidding cannot open')

const roundToCents = 50_000
const defaultStartShare = 0.6
const minuteMs = 60_000
/** Clocks of browsers differ: a start this little in the past means "now". */
const startSlackMs = 5 * minuteMs

/** Sixty percent of the asking price in steps of $500: low enough to start, and the reserve holds the price. */
function defaultStart(askingCents: number | undefined): number {
  return Math.max(roundToCents, Math.floor(((askingCents ?? 0) * defaultStartShare) / roundToCents) * roundToCents)
}

function period(terms: AuctionTerms, now: Date): { startsAt: Date; endsAt: Date } {
  const asked = terms.startsAt === undefined ? now : new Date(terms.startsAt)
  if (asked.getTime() < now.getTime() - startSlackMs) throw badRequest('The auction cannot start in the past')
  if (asked.getTime() > now.getTime() + auctionAheadMaxMs) throw badRequest('The auction must start within 30 days')
  const startsAt = asked < now ? now : asked
  const endsAt = terms.endsAt === undefined ? new Date(startsAt.getTime() + auctionDefaultMs) : new Date(terms.endsAt)
  const length = endsAt.getTime() - startsAt.getTime()
  if (length < auctionMinMs) throw badRequest('The auction must run for at least a minute')
  if (length > auctionMaxMs) throw badRequest('The auction can run for 14 days at most')
  return { startsAt, endsAt }
}

/** Null: the highest bid wins, whatever it is. */
function reserveOf({ reserveAmount }: AuctionTerms, unnamedCents: number): number | null {
  if (reserveAmount === undefined) return unnamedCents
  return reserveAmount === null ? null : centsOf(reserveAmount)
}

/**
 * Terms with their defaults: now, 20 minutes, and the asking price as reserve, so that nobody who names no terms sells below
 * what they ask. Without a price the reserve is out of reach: the seller decides.
 * @throws 400
 */
export function setUpAuction(terms: AuctionTerms, askingCents: number | undefined, now: Date): AuctionSetup {
  const startCents = terms.startAmount === undefined ? defaultStart(askingCents) : centsOf(terms.startAmount)
  const reserveCents = reserveOf(terms, askingCents ?? unreachableCents)
  if (startCents < 1) throw badRequest('The starting amount is too low')
  if (terms.reserveAmount !== undefined && reserveCents !== null && reserveCents < startCents)
    throw badRequest('The reserve cannot be below the starting amount')
  const { startsAt, endsAt } = period(terms, now)
  return { startCents, reserveCents, startsAt, endsAt, hardEndsAt: new Date(endsAt.getTime() + hardEndAfterMs) }
}
