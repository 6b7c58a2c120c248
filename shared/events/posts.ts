import type { PostStatus } from '#shared/schemas/posts.ts'

/** All values are new values, not differences, so applying an event twice or late does no harm. */
export interface PostState {
  postId: string
  /** Increases by one with every change of the post. Ignore events with a lower version. */
  version: number
  status: PostStatus
  vehicleCount: number
  availableCount: number
  viewCount: number
  commentCount: number
  likeCount: number
  infoCount: number
  bidCount: number
}

export interface PostChange extends PostState {
  /** If several changes were merged: the version before the first of them. */
  since?: number
  /** True if `post.edited` or `post.comment` brings the rest of the change. Until then, the client has not reached `version`. */
  partial?: boolean
}

export interface PostEvents {
  'post.changed': (event: PostChange) => void
  /** Sent if the text, vehicles, photos or AI summary changed. Refetch the post. */
  'post.edited': (event: { postId: string; version: number }) => void
  'post.removed': (event: { postId: string }) => void
  'post.viewers': (event: { postId: string; viewers: number }) => void
  /**
   * A hint that there are new posts, sent at most every two seconds. `newPosts` is at most 99. If `newestId` is null, only vehicles of
   * older posts changed, so only Find needs to refetch. Refetch after a random share of `jitterMs`.
   */
  'feed.head': (event: { newestId: string | null; newPosts: number; jitterMs: number }) => void
}
