import type { PostChange } from '#shared/events/posts.ts'

export interface PostDomainEvents {
  'post.created': { postId: string; dealerId: string }
  'post.changed': PostChange
  'post.edited': { postId: string; version: number }
  'post.removed': { postId: string; dealerId: string }
  'post.infoRequested': { postId: string; sellerId: string; dealerId: string }
}

export interface PostJobs {
  'post.summarize': { postId: string }
}
