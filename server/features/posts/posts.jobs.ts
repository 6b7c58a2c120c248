import type { JobHandlers } from '#server/platform/jobs.ts'
import type { PostJobs } from './posts.events.ts'
import { writeSummary } from './summaries/summaries.service.ts'
import { updatePost } from './posts.repository.ts'

export const postsJobs: JobHandlers<PostJobs> = {
  'post.summarise': {
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
