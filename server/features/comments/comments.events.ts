import type { Comment } from '#shared/schemas/comments.ts'

export interface CommentDomainEvents {
  'comment.added': { postId: string; comment: Comment; commentCount: number; version: number }
  /** An attachment was processed or removed. */
  'comment.changed': { postId: string; comment: Comment; commentCount: number; version: number }
}
