import type { Comment } from '#shared/schemas/posts.ts'

export interface CommentEvents {
  'post.comment': (event: { postId: string; comment: Comment; commentCount: number }) => void
}
