import { patchPost, advanceVersion } from '#client/lib/post/cached-posts.ts'
import type { LiveHandlers } from '#client/lib/live/live-queries.ts'
import { postKey } from '#client/lib/query/query-keys.ts'
import type { CommentEvents } from '#shared/events/comments.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { withComment } from './comments.cache.ts'

/** Idempotent, because the count is absolute and comments are identified by id. */
export const commentsLive: LiveHandlers<CommentEvents> = {
  'post.comment': (cache, { postId, comment, commentCount, version }) => {
    cache.setQueryData<PostDetail>(postKey(postId), (post) => post && withComment(post, comment))
    patchPost(cache, postId, (post) => ({
      ...advanceVersion(post, version ?? post.version),
      commentCount: Math.max(post.commentCount, commentCount),
    }))
  },
}
