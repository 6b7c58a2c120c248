import type { LiveHandlers } from '#client/lib/live.ts'
import { viewersKey } from '#client/lib/viewers.ts'
import type { CommentEvents } from '#shared/events/comments.ts'
import type { PostEvents } from '#shared/events/posts.ts'
import { feedHintKey, postQuery } from './posts.api.ts'
import { patchPost, refreshEdited, removePost, withComment } from './posts.cache.ts'

/** What each event changes: absolute values by post and version, so that twice or late does no harm. */
export const postsLive: LiveHandlers<PostEvents & CommentEvents> = {
  'post.changed': (cache, { postId, ...state }) =>
    patchPost(cache, postId, (post) => (state.version > post.version ? { ...post, ...state } : post)),
  'post.edited': (cache, { postId }) => void refreshEdited(cache, postId),
  'post.removed': (cache, { postId }) => removePost(cache, postId),
  'post.viewers': (cache, { postId, viewers }) => void cache.setQueryData(viewersKey(postId), viewers),
  'post.comment': (cache, { postId, comment, commentCount }) => {
    patchPost(cache, postId, (post) => ({ ...post, commentCount: Math.max(post.commentCount, commentCount) }))
    cache.setQueryData(
      postQuery(postId).queryKey,
      (post) => post && { ...post, comments: withComment(post.comments, comment) },
    )
  },
  'feed.head': (cache, hint) => void cache.setQueryData(feedHintKey, hint),
}
