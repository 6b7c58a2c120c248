import type { PostStatus } from '#shared/schemas/posts.ts'

/** Counters and state of a post: absolute values, so that applying one twice or late is harmless. */
export interface PostState {
  postId: string
  /** Rises by one with every change; older ones are ignored. */
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
  /** The version before the first of the changes that this one stands for, where it stands for several. */
  since?: number
  /** The rest of what changed comes by `post.edited` or `post.comment`: until it is here, the version has not been reached. */
  partial?: boolean
}

export interface PostEvents {
  'post.changed': (event: PostChange) => void
  /** Its text, vehicles, photos or AI summary changed: fetch it again. */
  'post.edited': (event: { postId: string; version: number }) => void
  'post.removed': (event: { postId: string }) => void
  'post.viewers': (event: { postId: string; viewers: number }) => void
  /**
   * A hint that there is news: at most once in two seconds, `newPosts` capped at 99. With none, `newestId` is null: then vehicles of posts
   * from before are on offer that were not, or otherwise than they were, which concerns Find alone.
   * Ask after a random share of `jitterMs`, which rises with the number of readers.
   */
  'feed.head': (event: { newestId: string | null; newPosts: number; jitterMs: number }) => void
}
