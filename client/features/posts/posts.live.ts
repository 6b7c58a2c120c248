import { keepFeedHint } from '#client/lib/live/new-posts-hint.ts'
import { lastChangeKey } from '#client/lib/post/cached-posts.ts'
import type { LiveHandlers } from '#client/lib/live/live-queries.ts'
import { viewersKey } from '#client/lib/post/viewer-count.ts'
import type { PostEvents } from '#shared/events/posts.ts'
import { refreshEdited, removePost } from './posts.cache.ts'
import { receiveChange } from './apply-post-changes.ts'

/** Handlers are idempotent, because events carry absolute values and a version. */
export const postsLive: LiveHandlers<PostEvents> = {
  'post.changed': (cache, change) => {
    cache.setQueryData(lastChangeKey(change.postId), change)
    receiveChange(cache, change)
  },
  'post.edited': (cache, { postId, version }) => void refreshEdited(cache, postId, version),
  'post.removed': (cache, { postId }) => removePost(cache, postId),
  'post.viewers': (cache, { postId, viewers }) => void cache.setQueryData(viewersKey(postId), viewers),
  'feed.head': keepFeedHint,
}
