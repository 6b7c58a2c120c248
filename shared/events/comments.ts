import type { Comment } from '#shared/schemas/comments.ts'

export interface CommentEvents {
  /**
   * A new comment, or one that is known, whose attachment has come further. `version` is the post's with it; absent from a
   * server of an earlier release.
   */
  'post.comment': (event: { postId: string; comment: Comment; commentCount: number; version?: number }) => void
}
