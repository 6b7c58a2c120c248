import type { DealerFile, ProvenReason } from '#shared/schemas/admin.ts'
import { dealerFileRows } from '#shared/limits.ts'
import { conflict, notFound } from '#server/errors.ts'
import { endSession, endSessions, sessionsOf } from '#server/features/auth/auth-sessions.service.ts'
import { checkProof, type GivenProof } from '#server/features/auth/second-factor/proof.service.ts'
import { clearSecondFactor } from '#server/features/auth/second-factor/second-factor.service.ts'
import { lockDealer } from '#server/features/dealers/dealers.service.ts'
import { dealsOf } from '#server/features/deals/deals.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Emit, Transact } from '#server/platform/database/transact.ts'
import { type Act, type By, recordAct } from '#server/features/audit/audit.service.ts'
import { findAccount, lockUser } from '../users/admin-users.repository.ts'
import {
  insertNote,
  listFiledReports,
  listNotes,
  listPostsOf,
  removeNote,
  removeNotes,
} from './dealer-file.repository.ts'

/** Returns the dealer file. If the account was deleted, it contains the remaining data. @throws 404 if the dealer does not exist */
export async function dealerFile(ctx: Context, id: string): Promise<DealerFile> {
  const account = await findAccount(ctx.db, id)
  if (!account) throw notFound('This dealer')
  const [posts, deals, by, about, sessions, notes] = await Promise.all([
    listPostsOf(ctx.db, id),
    dealsOf(ctx, id),
    listFiledReports(ctx.db, 'reporterId', id),
    listFiledReports(ctx.db, 'authorId', id),
    sessionsOf(ctx.db, id),
    listNotes(ctx.db, id),
  ])
  return {
    ...account,
    deletedAt: account.deletedAt?.toISOString() ?? null,
    posts,
    deals: deals.slice(0, dealerFileRows),
    reports: { by, about },
    sessions: sessions.slice(0, dealerFileRows),
    notes,
  }
}

/** Runs `work` on a locked account. `work` must write to the audit log. @throws 404 if the account does not exist */
async function withLockedAccount(
  ctx: Context,
  id: string,
  work: (tx: Tx, emit: Emit, subject: Act['subject']) => Promise<void>,
  transact: Transact = ctx.transact,
): Promise<DealerFile> {
  await transact(async (tx, emit) => {
    const user = await lockUser(tx, id)
    if (!user) throw notFound('This dealer')
    await work(tx, emit, { kind: 'user', id, name: user.name || user.email })
  })
  return dealerFile(ctx, id)
}

/** Adds a note. The audit log stores only the note's id, so erasing the account also removes the text. */
export const addNote = (ctx: Context, by: By, id: string, text: string): Promise<DealerFile> =>
  withLockedAccount(ctx, id, async (tx, _emit, subject) => {
    const note = await insertNote(tx, { dealerId: id, authorId: by.actor.dealerId, text })
    await recordAct(tx, by, { action: 'note.add', subject, after: { note } })
  })

/** Any admin may delete a note, because its author may have left. @throws 404 if the note does not exist */
export const deleteNote = (ctx: Context, by: By, id: string, note: string): Promise<DealerFile> =>
  withLockedAccount(ctx, id, async (tx, _emit, subject) => {
    if (!(await removeNote(tx, id, note))) throw notFound('This note')
    await recordAct(tx, by, { action: 'note.remove', subject, before: { note } })
  })

type Grounds = Pick<ProvenReason, 'reason'> & GivenProof

/** Ends one or all sessions. @throws 404 if the account or session does not exist; 403 without the admin's proof of identity */
export async function endDealerSessions(
  ctx: Context,
  by: By,
  { id, sessionId }: { id: string; sessionId?: string },
  { reason, ...given }: Grounds,
): Promise<DealerFile> {
  const { change } = await checkProof(ctx, by.actor, given)
  const end = async (tx: Tx, emit: Emit, subject: Act['subject']) => {
    if (sessionId === undefined) await endSessions(tx, emit, id)
    else await endSession(tx, emit, id, sessionId)
    await recordAct(tx, by, { action: 'session.end', subject, reason, after: { ended: sessionId ? 'one' : 'all' } })
  }
  return withLockedAccount(ctx, id, end, change)
}

/** @throws 404 if the account does not exist; 403 without proof of identity; 409 if it is the admin's own or has no second factor */
export async function resetSecondFactor(
  ctx: Context,
  by: By,
  id: string,
  { reason, ...given }: Grounds,
): Promise<DealerFile> {
  if (id === by.actor.dealerId) throw conflict('Change your own second factor under Settings')
  const { change } = await checkProof(ctx, by.actor, given)
  const reset = async (tx: Tx, emit: Emit, subject: Act['subject']) => {
    const dealer = await lockDealer(tx, id)
    if (dealer === undefined || dealer.secondFactorAt === null) throw conflict('This account has no second factor')
    await clearSecondFactor(tx, id)
    await endSessions(tx, emit, id)
    await recordAct(tx, by, { action: 'factor.reset', subject, reason })
    await emit.job('mail.accessChanged', { to: dealer.email, what: 'factor.reset' })
    await notify(tx, emit, {
      dealerId: id,
      kind: 'moderation',
      title: 'Your second factor was reset',
      body: reason,
      path: '/settings#security',
      key: `second-factor:reset:${by.requestId}`,
    })
  }
  return withLockedAccount(ctx, id, reset, change)
}

export const dropDealerNotes = (tx: Tx, dealerId: string): Promise<void> => removeNotes(tx, dealerId)
