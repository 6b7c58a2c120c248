import type { AuctionState, AuctionStatus, ReserveState } from '#shared/schemas/auctions.ts'
import { type StoredBuyFee, withBuyFee } from '#server/features/dealers/buy-fee.rows.ts'
import { dollarsOf } from '#server/platform/money.ts'

export interface AuctionRow extends StoredBuyFee {
  postId: string
  seq: number
  status: AuctionStatus
  endReason: string | null
  startCents: number
  incrementCents: number
  reserveCents: number | null
  amountCents: number | null
  bidCount: number
  leader: number | null
  startsAt: Date
  endsAt: Date
  hardEndsAt: Date
  serverNow: Date
  bids: { seq: number; amountCents: number; bidder: number; auto: boolean; at: Date }[]
}

export const centsOrNull = (cents: number | null) => (cents === null ? null : dollarsOf(cents))

function reserveState({ reserveCents, amountCents }: AuctionRow): ReserveState {
  if (reserveCents === null) return 'none'
  return amountCents !== null && amountCents >= reserveCents ? 'met' : 'not_met'
}

/** The public state must contain neither the reserve's amount nor any dealer's maximum. */
export function toAuctionState(row: AuctionRow): AuctionState {
  const { amountCents, incrementCents, startCents } = row
  return {
    postId: row.postId,
    seq: row.seq,
    status: row.status,
    endReason: row.endReason,
    amount: centsOrNull(amountCents),
    startAmount: dollarsOf(startCents),
    increment: dollarsOf(incrementCents),
    minNext: dollarsOf(amountCents === null ? startCents : amountCents + incrementCents),
    bidCount: row.bidCount,
    leader: row.leader,
    reserve: reserveState(row),
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    hardEndsAt: row.hardEndsAt.toISOString(),
    ...withBuyFee(row),
    bids: row.bids.map(({ seq, amountCents: cents, bidder, auto, at }, index) => ({
      seq,
      no: row.bidCount - index,
      amount: dollarsOf(cents),
      bidder,
      auto,
      at: at.toISOString(),
    })),
    serverNow: row.serverNow.toISOString(),
  }
}
