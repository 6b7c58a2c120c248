import type { FastifyRequest } from 'fastify'
import type { AuditNoun, AuditSubject } from '#shared/audit.ts'
import type { AuditEntry, AuditPage, AuditQuery } from '#shared/schemas/audit.ts'
import { Id } from '#shared/values.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { decodeCursor, encodeCursor } from '#server/platform/http/page-cursors.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { auditPageSize, anonymizeInAudit, insertAudit, listActsAbout, listAudit } from './audit.repository.ts'

export const byOf = (request: FastifyRequest): By => ({ actor: request.actor, requestId: request.id })

export interface By {
  actor: Actor
  requestId: string
}

export interface Act {
  action: `${AuditNoun}.${string}`
  subject: { kind: AuditSubject; id: string; name?: string }
  reason?: string | undefined
  before?: object
  after?: object
}

/** Call this in the action's transaction, so that the action and its audit entry are committed together. */
export async function recordAct(
  tx: Tx,
  { actor, requestId }: Pick<By, 'requestId'> & { actor: Pick<Actor, 'dealerId' | 'name'> },
  { action, subject, reason, before, after }: Act,
): Promise<void> {
  await insertAudit(tx, {
    actorId: actor.dealerId,
    actorName: actor.name,
    action,
    subjectKind: subject.kind,
    subjectId: subject.id,
    subjectName: subject.name ?? '',
    reason: reason ?? '',
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
    requestId,
  })
}

export function difference<T extends Record<string, unknown>>(before: T, after: Partial<T>) {
  const changed = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  const pick = (from: Partial<T>) => Object.fromEntries(changed.map((key) => [key, from[key] ?? null]))
  return { before: pick(before), after: pick(after), changed: changed.length > 0 }
}

export async function auditPage(ctx: Context, query: AuditQuery): Promise<AuditPage> {
  const rows = await listAudit(ctx.db, query, query.cursor ? decodeCursor(Id, query.cursor) : undefined)
  const entries = rows.slice(0, auditPageSize)
  const last = entries.at(-1)
  return { entries, nextCursor: rows.length > auditPageSize && last ? encodeCursor(last.id) : null }
}

/** Lists the entries about the subjects. `noun` is the first word of the action's name, such as `user` in `user.edit`. */
export async function actsAbout(ctx: Context, subjectIds: string[], noun: string): Promise<AuditEntry[]> {
  return subjectIds.length === 0 ? [] : listActsAbout(ctx.db, subjectIds, noun)
}

export const anonymizeInLog = (tx: Tx, dealerId: string, contactIds: string[], name: string): Promise<void> =>
  anonymizeInAudit(tx, dealerId, contactIds, name)
