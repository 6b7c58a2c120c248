import Type, { type Static } from 'typebox'
import { Id, Nullable, Timestamp } from '#shared/values.ts'

export const AuditEntry = Type.Object({
  id: Id,
  at: Timestamp,
  actorId: Id,
  actorName: Type.String(),
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

/** `q` searches the actor, subject and reason. `action` is a whole action or its first word. */
export const AuditQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 100 })),
  action: Type.Optional(Type.String({ maxLength: 60 })),
  /** `from` (inclusive) and `to` (exclusive) limit the period. The client computes days in the reader's time zone. */
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export type AuditQuery = Static<typeof AuditQuery>

export const AuditPage = Type.Object({ entries: Type.Array(AuditEntry), nextCursor: Nullable(Type.String()) })
export type AuditPage = Static<typeof AuditPage>
