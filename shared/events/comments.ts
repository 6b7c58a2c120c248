import type { Comment } from '#shared/schemas/comments.ts'

export interface CommentEvents {
  /**
   * Sent for a new comment, and again when the processing of its attachment advances. `version` is the post's version with this
   * comment; servers of an earlier release omit it.
   */
  'post.comment': (event: { postId: string; comment: Comment; commentCount: number; version?: number }) => void
}
