import type { SessionInfo } from '#shared/schemas/account.ts'
import { notFound } from '#server/errors.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { listSessions, removeSession, removeSessions } from '#server/platform/session/session.repository.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { removeWaits } from './second-factor/second-factor.repository.ts'

/** Ends the account's sessions, except `except` if it is set. Also ends their sockets and any sign-in that waits for a second factor. */
export async function endSessions(
  tx: Tx,
  emit: Emit,
  dealerId: string,
  { code = 'revoked', except }: { code?: 'revoked' | 'suspended'; except?: Buffer } = {},
): Promise<void> {
  await removeWaits(tx, dealerId)
  const ended = await removeSessions(tx, dealerId, except)
  // This event is durable, so that the socket of an ended session closes even after a crash.
  if (ended.length > 0)
    await emit('session.ended', { dealerId, sessionIds: ended.map((hash) => hash.toString('hex')), code })
}

/** @throws 404 if the session has ended or belongs to another account */
export async function endSession(tx: Tx, emit: Emit, dealerId: string, sessionId: string): Promise<void> {
  if (!(await removeSession(tx, dealerId, Buffer.from(sessionId, 'hex')))) throw notFound('This session')
  await emit('session.ended', { dealerId, sessionIds: [sessionId], code: 'revoked' })
}

export async function sessionsOf(db: Db, dealerId: string): Promise<Omit<SessionInfo, 'current'>[]> {
  const sessions = await listSessions(db, dealerId)
  return sessions.map(({ hash, createdAt, lastSeenAt, userAgent, address }) => ({
    id: hash.toString('hex'),
    userAgent: userAgent ?? '',
    address: address ?? '',
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
  }))
}
