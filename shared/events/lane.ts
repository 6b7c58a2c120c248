import type { AuctionState } from '#shared/schemas/auctions.ts'

/** Of an auction's state what the run list and the strip show. The newest `seq` wins. */
export type LaneChange = Pick<
  AuctionState,
  'postId' | 'seq' | 'status' | 'amount' | 'minNext' | 'bidCount' | 'leader' | 'reserve' | 'startsAt' | 'endsAt'
>

/** What has moved on the Lane since the last time: absolute values. */
export interface LaneChanges {
  /** At most fifty, each post once; where more moved, those that end soonest. One that no list holds may belong there: fetch, in a while. */
  rows: LaneChange[]
  /** Posts that are no longer on offer: hidden, or taken away. */
  gone: string[]
  /** More moved than these: fetch the Lane again, not more often than every ten seconds. */
  more: boolean
  serverNow: string
}

export interface LaneEvents {
  /** To the room of the Lane, at most once a second. */
  'lane.rows': (event: LaneChanges) => void
  /** To every tab of the dealer whose bid was taken, wherever they bid. A hint: what it means is in the auction's state. */
  'lane.placed': (event: { postId: string }) => void
}
