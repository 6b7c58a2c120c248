import { patchPost } from '#client/lib/held-posts.ts'
import type { LiveHandlers } from '#client/lib/live.ts'
import { viewersKey } from '#client/lib/viewers.ts'
import type { PostEvents } from '#shared/events/posts.ts'
import { feedHintKey } from './posts.api.ts'
import { refreshEdited, removePost } from './posts.cache.ts'

/** What each event changes: absolute values by post and version, so that twice or late does no harm. */
export const postsLive: LiveHandlers<PostEvents> = {
  'post.changed': (cache, { postId, ...state }) =>
    patchPost(cache, postId, (post) => (state.version > post.version ? { ...post, ...state } : post)),
  'post.edited': (cache, { postId }) => void refreshEdited(cache, postId),
  'post.removed': (cache, { postId }) => removePost(cache, postId),
  'post.viewers': (cache, { postId, viewers }) => void cache.setQueryData(viewersKey(postId), viewers),
  'feed.head': (cache, hint) => void cache.setQueryData(feedHintKey, hint),
}
