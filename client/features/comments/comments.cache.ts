import type { Comment } from '#shared/schemas/comments.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'

/** Returns the stage of an attachment's processing. The stage never decreases, so a comment with a lower stage is stale. */
function stageOf({ attachment }: Comment): number {
  if (attachment === null) return 2
  return attachment.state === 'processing' ? 0 : 1
}

function isNewer(comment: Comment, held: Comment): boolean {
  const [edited, before] = [comment.editedAt ?? '', held.editedAt ?? '']
  return edited === before ? stageOf(comment) > stageOf(held) : edited > before
}

/** True if `one` comes first in the server's order: by time, then by id. */
const isBefore = (one: Comment, other: Comment): boolean =>
  one.createdAt === other.createdAt ? one.id < other.id : one.createdAt < other.createdAt

/** Adds or updates a comment. Ignores a comment from a page that is not loaded. Returns the same object if nothing changes. */
export function withComment(post: PostDetail, comment: Comment): PostDetail {
  const { comments, earlierComments } = post
  const held = comments.find(({ id }) => id === comment.id)
  if (held !== undefined)
    return isNewer(comment, held)
      ? { ...post, comments: comments.map((each) => (each === held ? comment : each)) }
      : post
  const place = comments.findLastIndex((each) => isBefore(each, comment)) + 1
  return place === 0 && earlierComments !== null ? post : { ...post, comments: comments.toSpliced(place, 0, comment) }
}
