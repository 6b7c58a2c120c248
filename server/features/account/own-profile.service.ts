import type { OwnProfile, ProfilePatch } from '#shared/schemas/dealers.ts'
import { isWebAddress } from '#shared/web-address.ts'
import { badRequest, notFound } from '#server/errors.ts'
import { readPendingEmail } from '#server/features/auth/email-change.service.ts'
import { findProfile, lockDealer, type ProfileRow, updateProfile } from '#server/features/dealers/dealers.service.ts'
import { toOwnLicense } from '#server/features/dealers/licenses.rows.ts'
import { recheckLicense, submitLicense } from '#server/features/dealers/licenses.service.ts'
import { refreshFindPlaces } from '#server/features/find/refresh-find.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { readLastAvatar } from '#server/features/uploads/uploads.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { trimmed } from '#server/platform/http/request-fields.ts'
import type { Actor } from '#server/platform/session/session.ts'

async function readPending(
  ctx: Context,
  dealerId: string,
): Promise<Pick<OwnProfile, 'pendingEmail' | 'pendingAvatar'>> {
  const [email, avatar] = await Promise.all([readPendingEmail(ctx, dealerId), readLastAvatar(ctx.db, dealerId)])
  const isPending = avatar?.state === 'stored' || avatar?.state === 'failed'
  return { pendingEmail: email ?? null, pendingAvatar: isPending ? avatar : null }
}

function toOwn(
  row: ProfileRow,
  { pendingEmail, pendingAvatar }: Pick<OwnProfile, 'pendingEmail' | 'pendingAvatar'>,
): OwnProfile {
  return {
    name: row.name,
    dealershipName: row.dealershipName,
    dealershipType: row.dealershipType,
    phone: row.phone ?? '',
    address: row.address ?? '',
    city: row.city,
    state: row.state,
    zip: row.zip ?? '',
    description: row.description ?? '',
    website: row.website ?? '',
    buysCanadianVehicles: row.buysCanadianVehicles,
    auctionAccessNumber: row.auctionAccessNumber ?? '',
    dealership5MilNumber: row.dealership5MilNumber ?? '',
    license: toOwnLicense(row),
    email: row.email,
    pendingEmail,
    avatar: row.avatar,
    pendingAvatar,
  }
}

/** Returns the dealer's own profile, including a new email address or picture that has not taken effect yet. */
export async function readOwnProfile(ctx: Context, actor: Actor): Promise<OwnProfile> {
  const [row, pending] = await Promise.all([findProfile(ctx.db, actor.dealerId), readPending(ctx, actor.dealerId)])
  if (row === undefined) throw notFound('Your account')
  return toOwn(row, pending)
}

function checked(patch: ProfilePatch): ProfilePatch {
  const typed = trimmed(patch)
  const { name, dealershipName, website } = typed
  if (name === '') throw badRequest('Please enter your name', { fields: ['name'] })
  if (dealershipName === '') throw badRequest('Please enter the dealership name', { fields: ['dealershipName'] })
  if (website && !isWebAddress(website))
    throw badRequest('The website must start with http:// or https://', { fields: ['website'] })
  return typed
}

/** @throws 400 with the name of the invalid field */
export async function changeProfile(ctx: Context, actor: Actor, patch: ProfilePatch): Promise<OwnProfile> {
  const { license, ...changes } = checked(patch)
  const pending = await readPending(ctx, actor.dealerId)
  return ctx.transact(async (tx, emit) => {
    const before = await lockDealer(tx, actor.dealerId)
    if (before === undefined) throw notFound('Your account')
    await recheckLicense(tx, before, changes)
    if (license !== undefined) await submitLicense(tx, actor.dealerId, license)
    const row = await updateProfile(tx, actor.dealerId, changes)
    if (row === undefined) throw notFound('Your account')
    await refreshFindPlaces(tx, actor.dealerId)
    await touchInbox(tx, emit, [actor.dealerId], 'profile', actor.dealerId)
    return toOwn(row, pending)
  })
}
