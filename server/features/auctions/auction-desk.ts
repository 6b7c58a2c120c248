import { createBatches } from '#server/platform/batches.ts'
import type { Context } from '#server/platform/context.ts'
import { announce } from '#server/platform/transact.ts'
import { placeBids, type AuctionMoved, type BidOutcome, type BidRequest } from './auctions.repository.ts'

/** Where the bids of this process are handed in; committed when it answers. */
export type BidDesk = (request: BidRequest) => Promise<BidOutcome>

/** Tells what bids have changed, once it is committed. The outbid dealer's notice is durable; the live word is a hint. */
export function announceMoved(ctx: Pick<Context, 'bus' | 'outbox'>, moved: AuctionMoved[]): void {
  for (const { outboxId, state, title, outbid } of moved) {
    announce(ctx, outboxId, 'auction.changed', state)
    const { postId, seq, amount } = state
    for (const dealerId of outbid)
      ctx.bus.publish('auction.outbid', { postId, dealerId, title, amount: amount ?? 0, seq })
  }
}

/** Decides the bids of one auction in the order in which they came, those of several together. */
export function createBidDesk(ctx: Context): BidDesk {
  return createBatches<BidRequest, BidOutcome>(
    ({ postId }) => postId,
    async (requests) => {
      const { outcomes, moved } = await placeBids(ctx.db, requests)
      announceMoved(ctx, moved)
      return outcomes
    },
  )
}
