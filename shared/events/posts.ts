import type { PostStatus } from '#shared/schemas/posts.ts'

/** The values are absolute, so applying an event twice or late is harmless. */
export interface PostState {
  postId: string
  /** Increases by one with every change. Ignore events with a lower version. */
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
  /** The version before the first of several merged changes. */
  since?: number
  /** True if `post.edited` or `post.comment` follows with the rest of the change. Until then, the client has not reached `version`. */
  partial?: boolean
}

export interface PostEvents {
  'post.changed': (event: PostChange) => void
  /** Sent when the text, vehicles, photos or AI summary changed. Refetch the post. */
  'post.edited': (event: { postId: string; version: number }) => void
  'post.removed': (event: { postId: string }) => void
  'post.viewers': (event: { postId: string; viewers: number }) => void
  /**
   * A hint that there are new posts, at most every two seconds. `newPosts` is capped at 99. If `newestId` is null, only vehicles of
   * older posts changed, so only Find needs to refresh. Refetch after a random share of `jitterMs`.
   */
  'feed.head': (event: { newestId: string | null; newPosts: number; jitterMs: number }) => void
}
