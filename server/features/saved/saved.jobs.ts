import { notify } from '#server/features/notifications/notifications.service.ts'
import type { JobHandlers } from '#server/platform/jobs/jobs.ts'
import type { SavedJobs } from './saved.events.ts'
import { findMatchedPost, listMatches } from './saved.repository.ts'

export const savedJobs: JobHandlers<SavedJobs> = {
  'saved.match': {
    queue: 'default',
    async handle(ctx, { postId, sort }, run) {
      const post = await findMatchedPost(ctx.db, postId)
      if (post === undefined) return
      const matches = await listMatches(ctx.db, postId, sort)
      const notices = matches.map(({ dealerId, search }) => ({
        dealerId,
        actorId: post.dealerId,
        kind: 'savedSearch' as const,
        title: `New for "${search}": ${post.title}`,
        body: post.dealershipName,
        path: `/post/${postId}`,
        // A dealer gets one notice per post, even if several of the dealer's searches match.
        key: `saved:${postId}`,
      }))
      await run.complete((tx, emit) => notify(tx, emit, ...notices))
    },
  },
}
