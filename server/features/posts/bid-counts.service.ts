import type { Context } from '#server/platform/context.ts'
import { updateBidCounts } from './posts.repository.ts'

/** Posts' bid counters follow their auctions a few seconds later: a bid does not touch its post's row. */
export async function copyBidCounts(ctx: Context): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    for (const state of await updateBidCounts(tx)) emit('post.changed', state)
  })
}
