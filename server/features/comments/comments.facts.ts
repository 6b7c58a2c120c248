import type { Comment } from '#shared/schemas/posts.ts'

export interface CommentFacts {
  'comment.added': { postId: string; comment: Comment; commentCount: number }
  /** Its attachment was processed, or taken away. */
  'comment.changed': { postId: string; comment: Comment; commentCount: number }
}
