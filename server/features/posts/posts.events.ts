import type { PostChange } from '#shared/events/posts.ts'

export interface PostDomainEvents {
  'post.created': { postId: string; dealerId: string }
  'post.changed': PostChange
  'post.edited': { postId: string; version: number }
  'post.removed': { postId: string; dealerId: string }
  /** A dealer needs more information about a post; its seller is told. */
  'post.infoRequested': { postId: string; sellerId: string; dealerId: string }
}

export interface PostJobs {
  /** Writes the AI summary from the post's vehicles. */
  'post.summarise': { postId: string }
}
