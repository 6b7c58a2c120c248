import { sql } from 'kysely'
import { bidsOnceListed } from '#shared/auction-rules.ts'
import type { AuctionTerms } from '#shared/schemas/auctions.ts'
import type { PostPatch } from '#shared/schemas/posts.ts'
import { conflict, forbidden, notFound } from '#server/errors.ts'
import { followPost, openOnExistingPost } from '#server/features/auctions/auction-of-post.service.ts'
import { requireMayTrade } from '#server/features/dealers/licenses.service.ts'
import { requirePosting } from '#server/features/entitlements/entitlements.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { centsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { isSoldOut, updateVehicleStatuses } from './post-edits.repository.ts'
import { findPost } from './posts.repository.ts'
import { lockPostAndAuction } from '#server/features/sale/sale.service.ts'
import { assertFitForAuction, assertMentionsAuction } from './posts.policy.ts'

export const inThirtyDays = sql<Date>`now() + interval '30 days'`

/** Locks the post and its auction. @throws 404 if the post does not exist; 403 if the dealer is not the seller */
export async function lockOwn(tx: Tx, actor: Actor, postId: string) {
  const { post, auction } = await lockPostAndAuction(tx, postId, actor.dealerId)
  if (post === undefined) throw notFound('This post')
  if (post.dealerId !== actor.dealerId) throw forbidden('Only the seller can change this post')
  return { post, auction }
}

export type OwnPost = Awaited<ReturnType<typeof lockOwn>>

/**
 * Ends an auction without bids when its post becomes inactive, and restarts it once the post is active. `auction` opens a new auction.
 * @throws 409 with `EndsAuction` if an open auction would end and `endAuction` is not set; with `auction`, the errors of {@link switchOn}
 */
export async function followAuction(
  tx: Tx,
  emit: Emit,
  { post, auction }: OwnPost,
  {
    auction: terms,
    endAuction = false,
    lotReplaced = false,
  }: Pick<PostPatch, 'auction' | 'endAuction'> & { lotReplaced?: boolean },
) {
  if (terms !== undefined) return openBidding(tx, emit, { post, auction }, terms)
  const after = await findPost(tx, post.id)
  await followPost(tx, emit, auction, {
    postId: post.id,
    wasActive: post.status === 'active',
    canRun: after !== undefined && after.status === 'active' && after.isAuction,
    lotReplaced,
    mayEnd: endAuction,
  })
}

/** @throws 400 if the post does not mention an auction or its vehicles are incomplete; 409 if bidding cannot open */
async function openBidding(tx: Tx, emit: Emit, { post, auction }: OwnPost, terms: AuctionTerms) {
  if (auction !== undefined) throw conflict('This post already has an auction. Change its terms there')
  const after = await findPost(tx, post.id)
  if (after?.status !== 'active') throw conflict('The post is not active, so bidding cannot open on it')
  if (after.type === 'spreadsheet' && after.vehicles.length === 0) throw conflict(bidsOnceListed)
  assertMentionsAuction(after)
  assertFitForAuction(after.vehicles)
  const price = after.vehicles[0]?.price ?? undefined
  const askingCents = price === undefined ? undefined : centsOf(price)
  await openOnExistingPost(tx, emit, { id: post.id, sellerId: post.dealerId, askingCents }, terms)
  await emit.job('saved.match', { postId: post.id, sort: 'auction-promo' })
}

/** @throws 402 if posting requires a plan; 403 if it requires a confirmed email address or a verified license */
export async function requireOfferingAgain(ctx: Context, { dealerId }: Actor): Promise<void> {
  await requirePosting(ctx, dealerId)
  await requireMayTrade(ctx.db, dealerId)
}

/** True if the whole post was sold. Relisting such a post makes all its vehicles available again. */
export const wasSold = async (tx: Tx, { id, status }: { id: string; status: string }) =>
  status === 'sold' || (status === 'expired' && (await isSoldOut(tx, id)))

/** Makes all vehicles available again that are not in a deal. @throws 409 if every vehicle was sold in a deal */
export async function offerAgain(tx: Tx, postId: string): Promise<void> {
  await updateVehicleStatuses(tx, postId, 'available')
  if (await isSoldOut(tx, postId)) throw conflict('Every vehicle in this post was sold in a deal. Create a new post')
}
