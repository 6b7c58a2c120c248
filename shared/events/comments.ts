import type { Comment } from '#shared/schemas/comments.ts'

export interface CommentEvents {
  /** Sent for a new comment, and again when its attachment is processed. `version` is the post's version; older servers omit it. */
  'post.comment': (event: { postId: string; comment: Comment; commentCount: number; version?: number }) => void
}
