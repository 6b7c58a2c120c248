import type { Comment } from '#shared/schemas/comments.ts'

export interface CommentDomainEvents {
  'comment.added': { postId: string; comment: Comment; commentCount: number; version: number }
  /** Its attachment was processed, or taken away. */
  'comment.changed': { postId: string; comment: Comment; commentCount: number; version: number }
}
