import type { JobHandlers } from '#server/platform/jobs.ts'
import type { PostJobs } from './posts.facts.ts'
import { listSummaryVehicles, updatePost } from './posts.repository.ts'
import { summarise } from './summary.ts'

export const postsJobs: JobHandlers<PostJobs> = {
  'post.summarise': {
    queue: 'default',
    async handle(ctx, { postId }, run) {
      const vehicles = await listSummaryVehicles(ctx.db, postId)
      const aiSummary = JSON.stringify(summarise(vehicles))
      await run.complete(async (tx, emit) => {
        const state = await updatePost(tx, postId, { aiSummary })
        emit('post.edited', { postId, version: state.version })
      })
    },
  },
}
