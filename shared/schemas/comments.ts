import Type, { type Static } from 'typebox'
import { attachmentNameMax, commentMax, commentsPageMax, commentsPageSize } from '#shared/limits.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'

const attachmentStates = ['processing', 'ready', 'failed'] as const

/** What stands behind a comment's `attachmentUrl`. A picture is processed first; one that failed cannot be shown. */
const CommentAttachment = Type.Object({
  /** The name of its author's file; null where it is not known. */
  name: Nullable(Type.String()),
  state: oneOf(attachmentStates),
  isPicture: Type.Boolean(),
})
export type CommentAttachment = Static<typeof CommentAttachment>

export const Comment = Type.Object({
  id: Id,
  content: Type.String(),
  createdAt: Timestamp,
  /** When its author last changed it; absent where they have not. */
  editedAt: Type.Optional(Timestamp),
  attachmentUrl: Nullable(Type.String()),
  attachment: Nullable(CommentAttachment),
  dealer: Type.Object({ id: Id, name: Type.String(), avatar: Nullable(Type.String()) }),
  /** A moderator hid it; only its author gets it at all. Absent otherwise. */
  hidden: Type.Optional(Type.Boolean()),
})
export type Comment = Static<typeof Comment>

/**
 * GET /api/inventory/{id}/comments: the newest page, or the one `before` a place that comes from the Link header; oldest
 * first. `X-Total-Count` says how many comments the post has, `Link: <…>; rel="next"` where earlier ones are.
 */
export const CommentsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: commentsPageMax, default: commentsPageSize }),
  before: Type.Optional(Type.String({ maxLength: 300 })),
})
export type CommentsQuery = Static<typeof CommentsQuery>

/** PATCH /api/inventory/{id}/comments/{commentId}: by its author, within 15 minutes. */
export const CommentPatch = Type.Object({ content: Type.String({ minLength: 1, maxLength: commentMax }) })
export type CommentPatch = Static<typeof CommentPatch>

/** POST /api/inventory/{id}/comments */
export const NewComment = Type.Object({
  dealerId: Type.Optional(Id),
  content: Type.String({ minLength: 1, maxLength: commentMax }),
  attachmentUrl: Type.Optional(Type.String({ maxLength: 2_000 })),
  attachmentName: Type.Optional(Type.String({ maxLength: attachmentNameMax })),
})
export type NewComment = Static<typeof NewComment>
