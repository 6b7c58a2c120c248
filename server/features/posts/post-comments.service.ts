import { commentsPageSize } from '#shared/limits.ts'
import type { Comment, CommentsQuery } from '#shared/schemas/comments.ts'
import type { Context } from '#server/platform/process/context.ts'
import { pageAddress } from '#server/platform/http/page-cursors.ts'
import { listComments } from './post-comments.repository.ts'

/** Returns the comments that the reader may see. `earlier` is the URL of the previous page. */
export async function readComments(
  ctx: Context,
  postId: string,
  readerId: string,
  query: CommentsQuery = { limit: commentsPageSize },
): Promise<{ comments: Comment[]; earlier: string | null }> {
  const { comments, earlier } = await listComments(ctx.db, postId, readerId, query)
  const address = (before: string) => pageAddress(`/api/inventory/${postId}/comments`, { limit: query.limit, before })
  return { comments, earlier: earlier === undefined ? null : address(earlier) }
}
