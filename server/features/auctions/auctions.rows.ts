import type { AuctionState } from '#shared/schemas/auctions.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { StoredAuctionState } from './auctions.repository.ts'

const iso = (time: string) => new Date(time).toISOString()

/** The wire's shape: PostgreSQL writes times with an offset and microseconds. */
export function toAuctionState(stored: StoredAuctionState, serverNow: Date | string): AuctionState {
  return {
    ...stored,
    startsAt: iso(stored.startsAt),
    endsAt: iso(stored.endsAt),
    hardEndsAt: iso(stored.hardEndsAt),
    bids: stored.bids.map((bid) => ({ ...bid, at: iso(bid.at) })),
    serverNow: new Date(serverNow).toISOString(),
  }
}

export const centsOrNull = (cents: number | null) => (cents === null ? null : dollarsOf(cents))
