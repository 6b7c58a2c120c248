import type { Comment } from '#shared/schemas/comments.ts'

export interface CommentDomainEvents {
  'comment.added': { postId: string; comment: Comment; commentCount: number; version: number }
  'comment.changed': { postId: string; comment: Comment; commentCount: number; version: number }
}
