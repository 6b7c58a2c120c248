import Type, { type Static } from 'typebox'
import { Id, Nullable, Timestamp } from './dealers.ts'

/** One act of an admin or of ops staff. `before` and `after` hold only what changed. */
export const AuditEntry = Type.Object({
  id: Id,
  at: Timestamp,
  actorId: Id,
  actorName: Type.String(),
  /** `user.suspend`, `deal.approve`, `queue.pause` … */
  action: Type.String(),
  subjectKind: Type.String(),
  subjectId: Type.String(),
  subjectName: Type.String(),
  reason: Type.String(),
  before: Nullable(Type.Record(Type.String(), Type.Unknown())),
  after: Nullable(Type.Record(Type.String(), Type.Unknown())),
  requestId: Type.String(),
})
export type AuditEntry = Static<typeof AuditEntry>

/** GET /api/admin/audit. `q` is matched against who, whom and why; `action` may be a whole action or its first word. */
export const AuditQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 100 })),
  action: Type.Optional(Type.String({ maxLength: 60 })),
  /** The first moment that counts, and the first that no longer does: a day begins where the reader is. */
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export type AuditQuery = Static<typeof AuditQuery>

export const AuditPage = Type.Object({ entries: Type.Array(AuditEntry), nextCursor: Nullable(Type.String()) })
export type AuditPage = Static<typeof AuditPage>
