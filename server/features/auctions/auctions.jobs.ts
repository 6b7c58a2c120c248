import type { JobHandlers, Schedule } from '#server/platform/jobs/jobs.ts'
import { closeOrReschedule } from './auction-closing.service.ts'
import { openOrReschedule } from './presets/auction-presets.service.ts'
import { compareBidders } from './shared-accounts/shared-accounts.service.ts'
import type { AuctionJobs } from './auctions.events.ts'

const compareEveryMs = 10_000

export const auctionsJobs: JobHandlers<AuctionJobs> = {
  'auction.close': {
    queue: 'auctions',
    handle: async (_ctx, { postId }, run) => run.complete((tx, emit) => closeOrReschedule(tx, emit, postId)),
  },
  'auction.presets': {
    queue: 'auctions',
    handle: async (_ctx, { postId }, run) => run.complete((tx, emit) => openOrReschedule(tx, emit, postId)),
  },
}

export const auctionsSchedules: Schedule[] = [
  { name: 'auction.compareBidders', everyMs: compareEveryMs, run: compareBidders },
]
