import type { DealerProfile, OwnProfile, ProfilePatch } from '#shared/schemas/dealers.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { isWebAddress } from '#shared/web-address.ts'
import { refreshFindPlaces } from '#server/features/find/find-rows.service.ts'
import { badRequest, notFound } from '#server/errors.ts'
import { readPendingEmail } from '#server/features/account/account.service.ts'
import { isBlocked, relationsTo } from './connections.service.ts'
import { toDealer } from './dealers.rows.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { readLastAvatar } from '#server/features/uploads/uploads.service.ts'
import type { Context } from '#server/platform/context.ts'
import { trimmed } from '#server/platform/fields.ts'
import type { Actor } from '#server/platform/session.ts'
import { lockDealer } from './dealers.repository.ts'
import { isVerified, toOwnLicense } from './licenses.rows.ts'
import { recheckLicense, submitLicense } from './licenses.service.ts'
import { achievementsOf } from './achievements.ts'
import {
  findDealStats,
  findOpenRequest,
  findProfile,
  haveDealt,
  insertProfileView,
  listMutual,
  updateProfile,
} from './profiles.repository.ts'

const mutualShown = 6
const stranger = { connected: false, degree: null, mutualConnections: 0 } as const

type ProfileRow = NonNullable<Awaited<ReturnType<typeof findProfile>>>

/** A hidden profile is visible to mutual connections and to dealers with a deal. */
async function maySee(ctx: Context, actor: Actor, row: ProfileRow, mutual: boolean): Promise<boolean> {
  if (row.id === actor.dealerId || actor.role === 'admin') return true
  if (await isBlocked(ctx.db, actor.dealerId, row.id)) return false
  if (row.profileCompletedAt === null || row.waitingSince !== null) return false
  if (settingsOf(row.settings).profileVisibility || mutual) return true
  return haveDealt(ctx.db, actor.dealerId, row.id)
}

/** Contact details if the owner shares them; trade numbers for mutual connections and admins. */
function privateParts(actor: Actor, row: ProfileRow, mutual: boolean): Pick<DealerProfile, 'contact' | 'tradeNumbers'> {
  const own = row.id === actor.dealerId
  const { email, phone, auctionAccessNumber, dealership5MilNumber } = row
  return {
    contact: own || settingsOf(row.settings).contactSharing ? { email, phone } : null,
    tradeNumbers: own || mutual || actor.role === 'admin' ? { auctionAccessNumber, dealership5MilNumber } : null,
  }
}

/** Finds a dealer and the caller's relation. @throws 404 if the dealer is gone, blocked or hidden from the caller */
export async function findSeen(ctx: Context, actor: Actor, dealerId: string) {
  const row = await findProfile(ctx.db, dealerId)
  if (row === undefined) throw notFound('This dealer')
  const relation = (await relationsTo(ctx.db, actor.dealerId, [row.id])).get(row.id) ?? stranger
  if (!(await maySee(ctx, actor, row, relation.degree === '1st'))) throw notFound('This dealer')
  return { row, relation }
}

/** @throws 404 as {@link findSeen} */
export async function readDealer(ctx: Context, actor: Actor, dealerId: string): Promise<DealerProfile> {
  const { row, relation } = await findSeen(ctx, actor, dealerId)
  const own = row.id === actor.dealerId
  const [stats, mutual, requestId] = await Promise.all([
    findDealStats(ctx.db, row.id),
    own ? [] : listMutual(ctx.db, actor.dealerId, row.id, mutualShown),
    own ? undefined : findOpenRequest(ctx.db, row.id, actor.dealerId),
    own ? undefined : insertProfileView(ctx.db, row.id, actor.dealerId),
  ])
  return {
    ...toDealer(row),
    ...(own ? stranger : relation),
    description: row.description ?? '',
    website: row.website,
    memberSince: row.createdAt.toISOString(),
    ratingCount: row.ratingCount,
    ...privateParts(actor, row, relation.degree === '1st'),
    mutual,
    requestId: requestId ?? null,
    stats,
    achievements: achievementsOf({ ...row, verified: isVerified(row) }),
  }
}

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

/** Saves changes and updates the dealer's other tabs. @throws 400 naming the field */
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
