import Type, { type Static } from 'typebox'
import { attachmentNameMax, commentMax, commentsPageMax, commentsPageSize } from '#shared/limits.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'

const attachmentStates = ['processing', 'ready', 'failed'] as const

/** The file at `attachmentUrl`. Pictures are shown only once they have been processed. */
const CommentAttachment = Type.Object({
  name: Nullable(Type.String()),
  state: oneOf(attachmentStates),
  isPicture: Type.Boolean(),
})
export type CommentAttachment = Static<typeof CommentAttachment>

export const Comment = Type.Object({
  id: Id,
  content: Type.String(),
  createdAt: Timestamp,
  editedAt: Type.Optional(Timestamp),
  attachmentUrl: Nullable(Type.String()),
  attachment: Nullable(CommentAttachment),
  dealer: Type.Object({ id: Id, name: Type.String(), avatar: Nullable(Type.String()) }),
  /** True if a moderator has hidden the comment. Then only its author still receives it. */
  hidden: Type.Optional(Type.Boolean()),
})
export type Comment = Static<typeof Comment>

/** Returns the newest page, or the page before `before`. Oldest comment first. `Link: <…>; rel="next"` leads to earlier comments. */
export const CommentsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: commentsPageMax, default: commentsPageSize }),
  before: Type.Optional(Type.String({ maxLength: 300 })),
})
export type CommentsQuery = Static<typeof CommentsQuery>

/** A comment can be edited only by its author, and only for 15 minutes. */
export const CommentPatch = Type.Object({ content: Type.String({ minLength: 1, maxLength: commentMax }) })
export type CommentPatch = Static<typeof CommentPatch>

export const NewComment = Type.Object({
  dealerId: Type.Optional(Id),
  content: Type.String({ minLength: 1, maxLength: commentMax }),
  attachmentUrl: Type.Optional(Type.String({ maxLength: 2_000 })),
  attachmentName: Type.Optional(Type.String({ maxLength: attachmentNameMax })),
})
export type NewComment = Static<typeof NewComment>
