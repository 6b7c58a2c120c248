import { isSameEmail } from '#shared/email.ts'
import type { AccessChanged, AccountDeletion, EmailChange, Settings, SettingsPatch } from '#shared/schemas/account.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { refreshFindSellers } from '#server/features/find/find-rows.service.ts'
import { badRequest, conflict } from '#server/errors.ts'
import { endSessions } from '#server/features/auth/auth-sessions.service.ts'
import { deadLink, dropIdentities, dropLinks, redeemLink } from '#server/features/auth/auth-tokens.service.ts'
import type { Site } from '#server/features/auth/second-factor/passkeys.service.ts'
import { assertProof, clearSecondFactor } from '#server/features/auth/second-factor/second-factor.service.ts'
import { assertUnbound } from '#server/features/auctions/auctions.service.ts'
import { dropPresets } from '#server/features/auctions/presets/auction-presets.service.ts'
import { forgetInLog } from '#server/features/admin/audit.service.ts'
import { dropDealerNotes } from '#server/features/admin/dealer-file/dealer-file.service.ts'
import { dropGrants } from '#server/features/billing/billing-admin.service.ts'
import { cancelOnLeaving, dropCard, dropGift, followAddress } from '#server/features/billing/billing-changes.service.ts'
import { leaveNetworks } from '#server/features/dealers/connections.service.ts'
import { tellOfLeaving } from '#server/features/deals/deals.service.ts'
import { endOffersOf, withdrawOffersOf } from '#server/features/deals/offers/offers.service.ts'
import {
  anonymise,
  deletedName,
  findDealer,
  findDealerByEmail,
  findSettings,
  updateDealer,
  updateEmail,
  updateSettings,
} from '#server/features/dealers/dealers.service.ts'
import { dropPins } from '#server/features/lane/lane.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { dropNotifications, forgetActor } from '#server/features/notifications/notifications.service.ts'
import { dropOnboarding } from '#server/features/onboarding/onboarding.service.ts'
import { dropImports } from '#server/features/posting/spreadsheets.service.ts'
import { removePostsOf } from '#server/features/posts/posts-changes.service.ts'
import { dropSaved } from '#server/features/saved/saved.service.ts'
import { dropContact } from '#server/features/site/contact.service.ts'
import { dropAddress } from '#server/features/site/newsletter.service.ts'
import { dropOrders } from '#server/features/wanted/orders.service.ts'
import { dropSources, releaseUrls } from '#server/features/uploads/uploads.service.ts'
import type { Context } from '#server/platform/context.ts'
import { brokenConstraint, type Db, type Tx } from '#server/platform/db.ts'
import { centsOf } from '#server/platform/money.ts'
import { removeMailsTo } from '#server/platform/outbox.repository.ts'
import type { Actor } from '#server/platform/session.ts'
import type { Emit } from '#server/platform/transact.ts'
import { endAllUnderWay, keysThatStay, lockAsChecked } from './account-access.service.ts'
import { removeKeys, revokeAllKeys } from './api-keys.repository.ts'
import { dropExports } from './export.service.ts'
import { findEmailChange, removeEmailChange, upsertEmailChange } from './account.repository.ts'

const changeMails = { name: 'email-change', max: 5, seconds: 3_600 }
const changesPerAddress = { name: 'email-change-address', max: 20, seconds: 3_600 }
const mailsPerMailbox = { name: 'email-change-mailbox', max: 5, seconds: 3_600 }
const linkTries = { name: 'email-change-link', max: 20, seconds: 60 }

const taken = () => conflict('Another account uses this email', { fields: ['email'] })

/**
 * The new address gets a link; until it is opened the account keeps the old one.
 * @throws 403 without a proof, 409 for an address that is taken, 400 for the same one
 */
export async function requestEmailChange(
  ctx: Context,
  actor: Actor,
  { email, ...proof }: EmailChange,
  { address, site }: { address: string; site: Site },
): Promise<void> {
  await ctx.limiter.consume(changesPerAddress, address)
  const dealer = await assertProof(ctx, actor, proof, site)
  if (isSameEmail(email, dealer.email)) throw badRequest('This is already your email', { fields: ['email'] })
  await ctx.limiter.consume(changeMails, actor.dealerId)
  await ctx.limiter.consume(mailsPerMailbox, email.toLowerCase(), address)
  if ((await findDealerByEmail(ctx.db, email)) !== undefined) throw taken()
  await ctx.transact(async (tx, emit) => {
    await lockAsChecked(tx, actor, dealer)
    await upsertEmailChange(tx, actor.dealerId, email)
    await emit.job('mail.emailChange', { dealerId: actor.dealerId })
    await touchInbox(tx, emit, [actor.dealerId], 'profile', actor.dealerId)
  })
}

export const readPendingEmail = (ctx: Context, dealerId: string): Promise<string | undefined> =>
  findEmailChange(ctx.db, dealerId)

/**
 * Confirms a new address by its link, once, signed in or not. Ends all sessions; the route opens a new one for a caller
 * who was signed in to this account.
 * @throws 400 expired, used, or no longer requested; 409 taken meanwhile
 */
export async function confirmEmailChange(
  ctx: Context,
  token: string,
  address: string,
): Promise<AccessChanged & { dealerId: string }> {
  await ctx.limiter.consume(linkTries, address)
  try {
    return await ctx.transact(async (tx, emit) => {
      const { dealer, email } = await redeemLink(tx, 'change', token)
      if (!(await removeEmailChange(tx, dealer.id, email))) throw deadLink()
      await endAllUnderWay(tx, emit, dealer, 'email.changed')
      await updateEmail(tx, dealer.id, email, true)
      await followAddress(tx, emit, dealer.id)
      await touchInbox(tx, emit, [dealer.id], 'profile', dealer.id)
      return { dealerId: dealer.id, ...(await keysThatStay(tx, { id: dealer.id, email })) }
    })
  } catch (error) {
    if (brokenConstraint(error) === 'dealers_email_key') throw taken()
    throw error
  }
}

/** Removes every way in but the password: Google, second factors and API keys. The caller has locked the account. */
export async function dropWaysIn(tx: Tx, dealerId: string): Promise<void> {
  await revokeAllKeys(tx, dealerId)
  await dropIdentities(tx, dealerId)
  await clearSecondFactor(tx, dealerId)
}

/**
 * Assigns a new address for a dealer who has lost the mailbox or the account. Ends all access by session, link, Google,
 * passkey and API key. The password stays and can be reset at the new address. The caller locks the account. Violates
 * `dealers_email_key` if the address is taken.
 */
export async function giveAddress(
  tx: Tx,
  emit: Emit,
  account: { id: string; email: string; invitedUntil: string | null },
  email: string,
): Promise<void> {
  await endAllUnderWay(tx, emit, account, 'email.given')
  await dropWaysIn(tx, account.id)
  await updateEmail(tx, account.id, email, false)
  await followAddress(tx, emit, account.id)
  // An account that used only Google has no sign-in method left, but must not count as invited.
  if (account.invitedUntil === null) await updateDealer(tx, account.id, { invitedUntil: null })
  await emit.job('mail.addressGiven', { dealerId: account.id })
}

/**
 * Deletes a dealer in the caller's transaction: anonymizes the account, removes it from networks, deletes posts and
 * ends sessions. Keeps what the columns' comments say, such as deals, for the other side's records, and messages to
 * others.
 */
export async function eraseDealer(tx: Tx, emit: Emit, dealerId: string): Promise<void> {
  await endSessions(tx, emit, dealerId)
  const others = await leaveNetworks(tx, dealerId)
  const leaving = await findDealer(tx, dealerId)
  await anonymise(tx, dealerId)
  await refreshFindSellers(tx, [dealerId])
  for (const drop of [
    clearSecondFactor,
    dropCard,
    dropDealerNotes,
    dropGift,
    dropGrants,
    dropIdentities,
    dropImports,
    dropLinks,
    dropNotifications,
    dropOnboarding,
    dropPins,
    dropPresets,
    dropOrders,
    dropSaved,
    dropSources,
    removeEmailChange,
    removeKeys,
  ])
    await drop(tx, dealerId)
  await releaseUrls(
    tx,
    dealerId,
    [leaving?.avatar, leaving?.licenseScan].flatMap((url) => url ?? []),
  )
  await removePostsOf(tx, emit, dealerId)
  await dropExports(tx, emit, dealerId)
  if (leaving) await forgetTraces(tx, leaving)
  await withdrawOffersOf(tx, emit, dealerId)
  await endOffersOf(tx, emit, dealerId)
  await tellOfLeaving(tx, emit, dealerId)
  if (others.length > 0) await touchInbox(tx, emit, others, 'connection', dealerId)
}

/** Removes the dealer's name and addresses from other places and from pending mails. */
async function forgetTraces(
  tx: Tx,
  { id, email, name, emailVerifiedAt }: { id: string; email: string; name: string; emailVerifiedAt: Date | null },
): Promise<void> {
  const contactIds = await dropContact(tx, id, emailVerifiedAt === null ? undefined : email)
  if (emailVerifiedAt !== null) await dropAddress(tx, email)
  await forgetActor(tx, id, name, deletedName)
  await forgetInLog(tx, id, contactIds, deletedName)
  await removeMailsTo(tx, id, email)
}

/** @throws 403 without a proof, 400 when the email typed is not the account's, 409 for an admin and for a dealer bound by a bid */
export async function deleteAccount(
  ctx: Context,
  actor: Actor,
  { email, ...proof }: AccountDeletion,
  site: Site,
): Promise<void> {
  const dealer = await assertProof(ctx, actor, proof, site)
  if (dealer.role === 'admin') throw conflict('Only another admin can delete an admin account')
  if (!isSameEmail(email, dealer.email))
    throw badRequest('Enter the email of your account to delete the account', { fields: ['email'] })
  await assertUnbound(ctx.db, actor.dealerId)
  await cancelOnLeaving(ctx, actor.dealerId)
  await ctx.transact(async (tx, emit) => {
    await lockAsChecked(tx, actor, dealer)
    // Check again, because calling the payment provider took time.
    await assertUnbound(tx, actor.dealerId)
    await eraseDealer(tx, emit, actor.dealerId)
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

/** Saves changes and updates the dealer's other tabs. @throws 400 for an unknown time zone or fractions of a cent */
export async function changeSettings(ctx: Context, actor: Actor, patch: SettingsPatch): Promise<Settings> {
  if (patch.quietHours !== undefined && !isTimeZone(patch.quietHours.timeZone))
    throw badRequest('This time zone is not recognized', { fields: ['timeZone'] })
  // Whole cents.
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
