import type { AuctionState } from '#shared/schemas/auctions.ts'

/** The fields that the run list and the strip show. Ignore a change with an older `seq`. */
export type LaneChange = Pick<
  AuctionState,
  'postId' | 'seq' | 'status' | 'amount' | 'minNext' | 'bidCount' | 'leader' | 'reserve' | 'startsAt' | 'endsAt'
>

/** Auctions that changed since the last event, with their new values. */
export interface LaneChanges {
  /** Up to fifty auctions, those that end first. A row of an unknown post may belong in a list, so refetch the lists later. */
  rows: LaneChange[]
  gone: string[]
  /** True if more auctions changed than the event contains. Refetch the Lane, at most every ten seconds. */
  more: boolean
  serverNow: string
}

export interface LaneEvents {
  /** Sent to the Lane's room at most once a second. */
  'lane.rows': (event: LaneChanges) => void
  /** Sent to all tabs of a dealer whose bid was accepted. This is only a hint; the auction's state shows the outcome. */
  'lane.placed': (event: { postId: string }) => void
}
