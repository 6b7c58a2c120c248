import type { Comment } from '#shared/schemas/comments.ts'

export interface CommentEvents {
  /** Sent for a new comment, and when its attachment advances. `version` is the post's version; servers of an earlier release omit it. */
  'post.comment': (event: { postId: string; comment: Comment; commentCount: number; version?: number }) => void
}
