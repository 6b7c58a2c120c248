import { createBatches } from '#server/platform/batches.ts'
import type { Context } from '#server/platform/context.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { publishStored } from '#server/platform/transact.ts'
import { placeBids, type AuctionMoved, type BidOutcome, type BidRequest } from './bids.repository.ts'

/** Where the bids of this process are handed in; committed when it answers. */
export type BidBatcher = (request: BidRequest) => Promise<BidOutcome>

/** Tells what bids have changed, once it is committed. The outbid dealer's notice is durable; the live word is a hint. */
export function publishMoved(ctx: Pick<Context, 'bus' | 'outbox'>, moved: AuctionMoved[]): void {
  for (const { postId, seq, priceCents, outboxId, outbid, title } of moved) {
    publishStored(ctx, outboxId, 'auction.changed', { postId })
    for (const dealerId of outbid)
      ctx.bus.publish('auction.outbid', { postId, dealerId, title, amount: dollarsOf(priceCents), seq })
  }
}

/** Decides the bids of one auction in the order in which they came, those of several together. */
export function createBidBatcher(ctx: Context): BidBatcher {
  return createBatches<BidRequest, BidOutcome>(
    ({ postId }) => postId,
    async (requests) => {
      const { outcomes, moved } = await placeBids(ctx.db, requests)
      publishMoved(ctx, moved)
      return outcomes
    },
  )
}
