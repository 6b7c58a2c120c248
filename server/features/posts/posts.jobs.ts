import type { JobHandlers, Schedule } from '#server/platform/jobs/jobs.ts'
import { copyBidCounts } from './posts-changes.service.ts'
import type { PostJobs } from './posts.events.ts'
import { writeSummary } from './summaries/summaries.service.ts'
import { updatePost } from '#server/features/sale/sale.service.ts'

export const postsJobs: JobHandlers<PostJobs> = {
  'post.summarize': {
    queue: 'default',
    async handle(ctx, { postId }, run) {
      const aiSummary = await writeSummary(ctx, postId)
      await run.complete(async (tx, emit) => {
        const state = await updatePost(tx, postId, { aiSummary })
        emit('post.edited', { postId, version: state.version })
      })
    },
  },
}

const bidCountsEveryMs = 5_000

export const postsSchedules: Schedule[] = [
  { name: 'posts.copyBidCounts', everyMs: bidCountsEveryMs, run: copyBidCounts },
]
