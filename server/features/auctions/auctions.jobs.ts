import type { JobHandlers, Schedule } from '#server/platform/jobs.ts'
import { closeOrWait } from './auction-closing.service.ts'
import type { AuctionJobs } from './auctions.facts.ts'
import { copyBidCounts } from './auctions.repository.ts'

const countersEveryMs = 5_000

export const auctionsJobs: JobHandlers<AuctionJobs> = {
  'auction.close': {
    queue: 'auctions',
    handle: async (_ctx, { postId }, run) => run.complete((tx, emit) => closeOrWait(tx, emit, postId)),
  },
}

export const auctionsSchedules: Schedule[] = [
  {
    name: 'auction.bidCounts',
    everyMs: countersEveryMs,
    run: (ctx) =>
      ctx.transact(async (tx, emit) => {
        for (const state of await copyBidCounts(tx)) emit('post.changed', state)
      }),
  },
]
