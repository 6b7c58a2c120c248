import type { AdminUser, Invitation, NewAdminUser, ProvenNewUser } from '#shared/schemas/admin.ts'
import { conflict, notFound } from '#server/errors.ts'
import { eraseDealer } from '#server/features/account/account.service.ts'
import { dropLinks } from '#server/features/auth/auth-tokens.service.ts'
import type { Site } from '#server/features/auth/second-factor/passkeys.service.ts'
import { checkProof } from '#server/features/auth/second-factor/proof.service.ts'
import { insertDealer, updateDealer } from '#server/features/dealers/dealers.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { brokenConstraint, type Tx } from '#server/platform/database/db.ts'
import { findUser, listInvited, lockUser } from './admin-users.repository.ts'
import { asSubject } from './admin-users.policy.ts'
import type { Transact } from '#server/platform/database/transact.ts'
import { type By, recordAct } from '#server/features/audit/audit.service.ts'

const invitationMs = 7 * 24 * 3_600_000

/** @throws 403 if staff are invited and the admin's proof of identity is missing or wrong; 409 if the address is taken */
export async function inviteUser(
  ctx: Context,
  by: By,
  { proof, ...input }: ProvenNewUser,
  site: Site,
): Promise<AdminUser> {
  const proven = input.role === 'dealer' ? undefined : await checkProof(ctx, by.actor, { proof, site })
  return invite(ctx, by, input, proven?.change)
}

/** Creates an account that needs no approval, even if the network requires approval. @throws 409 if the address is taken */
async function invite(
  ctx: Context,
  by: By,
  input: NewAdminUser,
  transact: Transact = ctx.transact,
): Promise<AdminUser> {
  const { name, email, dealershipName, dealershipType, role } = input
  try {
    const id = await transact(async (tx, emit) => {
      const invitedUntil = new Date(ctx.now().getTime() + invitationMs)
      const about = { email, name, dealershipName, dealershipType, role }
      const dealer = await insertDealer(tx, { ...about, passwordHash: null, invitedUntil })
      await emit.job('mail.invite', { dealerId: dealer.id })
      await recordAct(tx, by, {
        action: 'user.invite',
        subject: asSubject({ id: dealer.id, name, email }),
        after: { email, role },
      })
      return dealer.id
    })
    const user = await findUser(ctx.db, id)
    if (!user) throw notFound('This dealer')
    return user
  } catch (error) {
    if (brokenConstraint(error) === 'dealers_email_key') throw conflict('Another account uses this email')
    throw error
  }
}

export async function inviteDealer(ctx: Context, by: By, email: string): Promise<Invitation> {
  const user = await invite(ctx, by, {
    email,
    name: '',
    dealershipName: '',
    dealershipType: 'independent',
    role: 'dealer',
  })
  return toInvitation(user, ctx.now())
}

const toInvitation = ({ id, email, name, role, createdAt, invitedUntil }: AdminUser, now: Date): Invitation => {
  const until = invitedUntil ?? createdAt
  return { id, email, name, role, invitedAt: createdAt, until, expired: new Date(until) <= now }
}

/** Lists open invitations, including expired ones, which can be sent again. */
export async function listInvitations(ctx: Context): Promise<Invitation[]> {
  const now = ctx.now()
  return (await listInvited(ctx.db)).map((user) => toInvitation(user, now))
}

/** @throws 404 if the invitation does not exist or was used */
async function lockInvited(tx: Tx, id: string): Promise<AdminUser> {
  const user = await lockUser(tx, id)
  if (!user || user.invitedUntil === null) throw notFound('This invitation')
  return user
}

/** Sends a new link, which is valid for another week, and invalidates the old link. @throws 404 if the invitation was used or revoked */
export async function resendInvitation(ctx: Context, by: By, id: string): Promise<Invitation> {
  const invitedUntil = new Date(ctx.now().getTime() + invitationMs)
  const user = await ctx.transact(async (tx, emit) => {
    const invited = await lockInvited(tx, id)
    await dropLinks(tx, id)
    await updateDealer(tx, id, { invitedUntil })
    await emit.job('mail.invite', { dealerId: id })
    await recordAct(tx, by, { action: 'user.inviteAgain', subject: asSubject(invited) })
    return { ...invited, invitedUntil: invitedUntil.toISOString() }
  })
  return toInvitation(user, ctx.now())
}

/** Invalidates the link and deletes the invited account. @throws 404 if the invitation was used or revoked */
export async function revokeInvitation(ctx: Context, by: By, id: string): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    const invited = await lockInvited(tx, id)
    await eraseDealer(tx, emit, ctx.onLeaving, id)
    await recordAct(tx, by, { action: 'user.uninvite', subject: { ...asSubject(invited), name: 'Invited address' } })
  })
}
