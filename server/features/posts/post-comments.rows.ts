import type { Comment } from '#shared/schemas/comments.ts'
import type { Db } from '#server/platform/database/db.ts'

export const selectComments = (db: Db) =>
  db
    .selectFrom('comments')
    .innerJoin('dealers', 'dealers.id', 'comments.dealerId')
    .leftJoin('objects', 'objects.id', 'comments.attachmentObject')
    .select([
      'comments.id',
      'comments.content',
      'comments.createdAt',
      'comments.editedAt',
      'comments.attachmentUrl',
      'comments.attachmentName',
      'comments.attachmentObject',
      'objects.state as objectState',
      'objects.contentType as objectType',
      'comments.hiddenAt',
      'dealers.id as dealerId',
      'dealers.name',
      'dealers.avatar',
    ])

export type CommentRow = Awaited<ReturnType<ReturnType<typeof selectComments>['executeTakeFirstOrThrow']>>

function stateOf({ attachmentObject, objectState }: CommentRow): NonNullable<Comment['attachment']>['state'] {
  // A missing object means that the upload failed and was cleaned up.
  if (attachmentObject === null || objectState === 'ready') return 'ready'
  return objectState === 'awaited' || objectState === 'stored' ? 'processing' : 'failed'
}

function toAttachment(row: CommentRow): Comment['attachment'] {
  if (row.attachmentUrl === null) return null
  return {
    name: row.attachmentName,
    state: stateOf(row),
    isPicture: row.objectType?.startsWith('image/') ?? false,
  }
}

export function toComment(row: CommentRow): Comment {
  return {
    id: row.id,
    content: row.content,
    createdAt: row.createdAt.toISOString(),
    ...(row.editedAt !== null && { editedAt: row.editedAt.toISOString() }),
    attachmentUrl: row.attachmentUrl,
    attachment: toAttachment(row),
    dealer: { id: row.dealerId, name: row.name, avatar: row.avatar },
    ...(row.hiddenAt !== null && { hidden: true }),
  }
}
