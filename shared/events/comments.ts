import type { Comment } from '#shared/schemas/comments.ts'

export interface CommentEvents {
  /**
   * A new comment, or a known one whose attachment has been processed further. `version` is the post's version with this comment;
   * servers of an earlier release omit it.
   */
  'post.comment': (event: { postId: string; comment: Comment; commentCount: number; version?: number }) => void
}
