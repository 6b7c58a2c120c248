import type { PostStatus } from '#shared/schemas/posts.ts'

/** Counters and status of a post. The values are absolute, so applying an event twice or late is harmless. */
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
  /** If this event merges several changes, the version before the first of them. */
  since?: number
  /** True if the rest of the change follows in `post.edited` or `post.comment`. The client has not reached `version` until then. */
  partial?: boolean
}

export interface PostEvents {
  'post.changed': (event: PostChange) => void
  /** Sent when the text, vehicles, photos or AI summary changed. Refetch the post. */
  'post.edited': (event: { postId: string; version: number }) => void
  'post.removed': (event: { postId: string }) => void
  'post.viewers': (event: { postId: string; viewers: number }) => void
  /**
   * Reports new posts, at most once every two seconds. This is only a hint. `newPosts` is capped at 99.
   * A null `newestId` means that there are no new posts, but vehicles of older posts changed or are for sale again. Only Find
   * needs to refresh then.
   * Refetch after a random share of `jitterMs`, which grows with the number of readers.
   */
  'feed.head': (event: { newestId: string | null; newPosts: number; jitterMs: number }) => void
}
