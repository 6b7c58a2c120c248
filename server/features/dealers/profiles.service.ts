import type { DealerProfile } from '#shared/schemas/dealers.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { notFound } from '#server/errors.ts'
import { isBlocked, relationsTo } from './connections.service.ts'
import { toDealer } from './dealers.rows.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { isVerified } from './licenses.rows.ts'
import { achievementsOf } from './achievements.ts'
import {
  findDealStats,
  findOpenRequest,
  findProfile,
  haveDealt,
  insertProfileView,
  listMutual,
  type ProfileRow,
} from './profiles.repository.ts'

const mutualShown = 6
const noRelation = { connected: false, degree: null, mutualConnections: 0 } as const

/** A hidden profile is visible to its owner, admins, mutual connections, and dealers who had a deal with its owner. */
async function maySee(ctx: Context, actor: Actor, row: ProfileRow, mutual: boolean): Promise<boolean> {
  if (row.id === actor.dealerId || actor.role === 'admin') return true
  if (await isBlocked(ctx.db, actor.dealerId, row.id)) return false
  if (row.profileCompletedAt === null || row.waitingSince !== null) return false
  if (settingsOf(row.settings).profileVisibility || mutual) return true
  return haveDealt(ctx.db, actor.dealerId, row.id)
}

/** Contact details are shown if the owner shares them, and trade numbers to mutual connections and admins. The owner sees both. */
function privateParts(actor: Actor, row: ProfileRow, mutual: boolean): Pick<DealerProfile, 'contact' | 'tradeNumbers'> {
  const own = row.id === actor.dealerId
  const { email, phone, auctionAccessNumber, dealership5MilNumber } = row
  return {
    contact: own || settingsOf(row.settings).contactSharing ? { email, phone } : null,
    tradeNumbers: own || mutual || actor.role === 'admin' ? { auctionAccessNumber, dealership5MilNumber } : null,
  }
}

/** Finds a dealer and the caller's relation to them. @throws 404 if the dealer is deleted, blocked or hidden from the caller */
export async function findVisibleProfile(ctx: Context, actor: Actor, dealerId: string) {
  const row = await findProfile(ctx.db, dealerId)
  if (row === undefined) throw notFound('This dealer')
  const relation = (await relationsTo(ctx.db, actor.dealerId, [row.id])).get(row.id) ?? noRelation
  if (!(await maySee(ctx, actor, row, relation.degree === '1st'))) throw notFound('This dealer')
  return { row, relation }
}

/** @throws the errors of {@link findSeen} */
export async function readDealer(ctx: Context, actor: Actor, dealerId: string): Promise<DealerProfile> {
  const { row, relation } = await findVisibleProfile(ctx, actor, dealerId)
  const own = row.id === actor.dealerId
  const [stats, mutual, requestId] = await Promise.all([
    findDealStats(ctx.db, row.id),
    own ? [] : listMutual(ctx.db, actor.dealerId, row.id, mutualShown),
    own ? undefined : findOpenRequest(ctx.db, row.id, actor.dealerId),
    own ? undefined : insertProfileView(ctx.db, row.id, actor.dealerId),
  ])
  return {
    ...toDealer(row),
    ...(own ? noRelation : relation),
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
