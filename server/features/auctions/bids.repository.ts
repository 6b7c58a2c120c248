import { sql } from 'kysely'
import { softCloseMs } from '#shared/limits.ts'
import type { BidRefusal } from '#shared/schemas/auctions.ts'
import { paidStatuses } from '#shared/schemas/billing.ts'
import type { Db } from '#server/platform/db.ts'

export interface BidRequest {
  postId: string
  bidderId: string
  key: string
  kind: 'bid' | 'max'
  cents: number
}

/** A bid that was taken; its key asked for again is answered the same. */
export interface BidAccepted {
  refusal: null
  seq: number
  priceCents: number
  endsAt: Date
  leads: boolean
  bidderNumber: number
}

/** What the auction would take, and how it stood then. */
export interface BidRefused {
  refusal: BidRefusal
  priceCents: number | null
  minNextCents: number
  startsAt: Date
  endsAt: Date
  decidedAt: Date
}

/** Not a matter of the price: place-bids.sql says what each of them is. */
const bars = ['GONE', 'NO_PLAN', 'OWING', 'NONE', 'KEY'] as const
export interface BidBarred {
  refusal: (typeof bars)[number]
}

export type BidOutcome = BidAccepted | BidRefused | BidBarred

/** An auction that bids have moved, whose outbox row is written, and who leads no longer. */
export interface AuctionMoved {
  postId: string
  seq: number
  priceCents: number
  outboxId: string
  outbid: string[]
  title: string
}

type PlacedRow = ({ bidNo: number } & BidOutcome) | ({ bidNo: null } & AuctionMoved)

/** The columns that say something about this outcome. */
function toOutcome(row: BidOutcome): BidOutcome {
  if (row.refusal === null) {
    const { refusal, seq, priceCents, endsAt, leads, bidderNumber } = row
    return { refusal, seq, priceCents, endsAt, leads, bidderNumber }
  }
  if (isBarred(row)) return { refusal: row.refusal }
  const { refusal, priceCents, minNextCents, startsAt, endsAt, decidedAt } = row
  return { refusal, priceCents, minNextCents, startsAt, endsAt, decidedAt }
}

export const isBarred = (refused: BidBarred | BidRefused): refused is BidBarred =>
  bars.some((bar) => bar === refused.refusal)

/** Decides bids in one statement, each under its auction's row lock (place-bids.sql says how); outcomes in the same order. */
export async function placeBids(
  db: Db,
  bids: BidRequest[],
): Promise<{ outcomes: (BidOutcome | undefined)[]; moved: AuctionMoved[] }> {
  const requests = bids.map(({ postId, bidderId, ...rest }) => ({ post: postId, bidder: bidderId, ...rest }))
  const { rows } = await sql<PlacedRow>`
    select * from place_bids(${JSON.stringify(requests)}::jsonb, ${softCloseMs}, ${[...paidStatuses]}::text[])`.execute(
    db,
  )
  const outcomes: (BidOutcome | undefined)[] = bids.map(() => undefined)
  const moved: AuctionMoved[] = []
  for (const row of rows) {
    if (row.bidNo === null) moved.push(row)
    else outcomes[row.bidNo - 1] = toOutcome(row)
  }
  return { outcomes, moved }
}
