import { isSameEmail } from '#shared/email.ts'
import type { AccountDeletion, Settings, SettingsPatch } from '#shared/schemas/account.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { badRequest, conflict } from '#server/errors.ts'
import { assertUnbound } from '#server/features/auctions/auctions.service.ts'
import { lockAsChecked } from '#server/features/auth/account-access.service.ts'
import { endSessions } from '#server/features/auth/auth-sessions.service.ts'
import type { Site } from '#server/features/auth/second-factor/passkeys.service.ts'
import { checkProof } from '#server/features/auth/second-factor/proof.service.ts'
import { cancelOfDeletedDealer } from '#server/features/billing/billing-changes.service.ts'
import { removeFromAllNetworks } from '#server/features/dealers/connections.service.ts'
import { anonymize, findDealer, findSettings, updateSettings } from '#server/features/dealers/dealers.service.ts'
import { refreshFindSellers } from '#server/features/find/refresh-find.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { OnLeaving } from '#server/platform/leaving.ts'
import { centsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'

/**
 * Anonymizes the account and removes its data. Data whose column comment says `keep` stays for the other party's records, such as deals.
 * @param onLeaving each feature's step for the account's data (server/leaving.ts)
 */
export async function eraseDealer(
  tx: Tx,
  emit: Emit,
  onLeaving: readonly OnLeaving[],
  dealerId: string,
): Promise<void> {
  await endSessions(tx, emit, dealerId)
  const others = await removeFromAllNetworks(tx, dealerId)
  const leaver = await findDealer(tx, dealerId)
  if (leaver === undefined) return
  await anonymize(tx, dealerId)
  await refreshFindSellers(tx, [dealerId])
  for (const leave of onLeaving) await leave(tx, emit, leaver)
  if (others.length > 0) await touchInbox(tx, emit, others, 'connection', dealerId)
}

/** @throws 403 without proof of identity; 400 if `email` is not the account's; 409 if it is an admin's account or a bid binds the dealer */
export async function deleteAccount(
  ctx: Context,
  actor: Actor,
  { email, proof }: AccountDeletion,
  site: Site,
): Promise<void> {
  const { owner, change } = await checkProof(ctx, actor, { proof, site })
  if (owner.role === 'admin') throw conflict('Only another admin can delete an admin account')
  if (!isSameEmail(email, owner.email))
    throw badRequest('Enter the email of your account to delete the account', { fields: ['email'] })
  // Use up the one-time code before calling the payment provider, because that call cannot be undone.
  await change((tx) => assertUnbound(tx, actor.dealerId))
  await cancelOfDeletedDealer(ctx, actor.dealerId)
  await ctx.transact(async (tx, emit) => {
    await lockAsChecked(tx, actor, owner)
    // Check again, because the dealer may have bid during the call to the payment provider.
    await assertUnbound(tx, actor.dealerId)
    await eraseDealer(tx, emit, ctx.onLeaving, actor.dealerId)
  })
}

export async function settingsFor(db: Db, dealerId: string): Promise<Settings> {
  return settingsOf(await findSettings(db, dealerId))
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).format() !== ''
  } catch {
    return false
  }
}

/** @throws 400 if the time zone is unknown or `lane.dayLimit` has fractions of a cent */
export async function changeSettings(ctx: Context, actor: Actor, patch: SettingsPatch): Promise<Settings> {
  if (patch.quietHours !== undefined && !isTimeZone(patch.quietHours.timeZone))
    throw badRequest('This time zone is not recognized', { fields: ['timeZone'] })
  if (patch.lane?.dayLimit) centsOf(patch.lane.dayLimit)
  const { notifications = {}, lane = {}, ...others } = patch
  return ctx.transact(async (tx, emit) => {
    const saved = settingsOf(await updateSettings(tx, actor.dealerId, others, { notifications, lane }))
    await touchInbox(tx, emit, [actor.dealerId], 'profile', actor.dealerId)
    if (patch.lane?.dayLimit !== undefined) await touchInbox(tx, emit, [actor.dealerId], 'lane', actor.dealerId)
    emit('settings.changed', { dealerId: actor.dealerId, settings: saved })
    return saved
  })
}
