import type { Comment } from '#shared/schemas/comments.ts'

export interface CommentEvents {
  /** A new comment, or one that is known, whose attachment has come further. */
  'post.comment': (event: { postId: string; comment: Comment; commentCount: number }) => void
}
