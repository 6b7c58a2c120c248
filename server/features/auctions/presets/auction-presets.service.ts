import { formatMoney } from '#shared/format.ts'
import { badRequest, conflict, forbidden, notFound } from '#server/errors.ts'
import { requireEntitlement } from '#server/features/entitlements/entitlements.service.ts'
import { requireMayBid } from '#server/features/dealers/bidding.service.ts'
import { requireMayTrade } from '#server/features/dealers/licenses.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify, type Notice } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { centsOf, dollarsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { sweepEach } from '#server/platform/database/sweep-rows.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import {
  listOverduePresets,
  listPresets,
  lockOpening,
  removePreset,
  removePresets,
  removePresetsOf,
  removePresetsOfPost,
  upsertPreset,
} from './auction-presets.repository.ts'
import {
  type BidOutcome,
  type BidRequest,
  findOwnSide,
  findState,
  findTitle,
  isBarred,
  placeBids,
} from '../auctions.repository.ts'

const presetLimit = { name: 'presets', max: 60, seconds: 60 }

const started = () => conflict('Bidding has opened. Place a bid or set a maximum in the auction')

/**
 * Stores the dealer's private maximum until bidding opens.
 * @throws 404 if the auction does not exist; 403 if it is the dealer's own or the dealer may not bid; 402 without a plan; 400 if `amount`
 * is below the starting amount; 409 once bidding has opened; 429 after too many changes
 */
export async function setPreset(ctx: Context, actor: Actor, postId: string, amount: number): Promise<void> {
  const cents = centsOf(amount)
  await ctx.limiter.consume(presetLimit, actor.dealerId)
  const found = await findState(ctx.db, postId, 0)
  if (found === undefined) throw notFound('This auction')
  const { sellerId } = await findOwnSide(ctx.db, postId, actor.dealerId)
  if (sellerId === actor.dealerId) throw forbidden('You cannot bid on your own auction')
  await requireMayTrade(ctx.db, actor.dealerId)
  await requireMayBid(ctx.db, actor.dealerId)
  await requireEntitlement(ctx.db, actor.dealerId, 'bidding')
  if (found.status !== 'open' || found.startsAt <= found.serverNow) throw started()
  if (cents < found.startCents) throw badRequest(`Enter ${formatMoney(dollarsOf(found.startCents))} or more`)
  await ctx.transact(async (tx, emit) => {
    if (!(await upsertPreset(tx, postId, actor.dealerId, cents))) throw started()
    await emit.job('auction.presets', { postId }, { runAt: found.startsAt, uniqueKey: postId })
    await touchInbox(tx, emit, [actor.dealerId], 'lane', postId)
  })
}

/** Removes the dealer's maximum, if there is one. @throws 404 if the auction does not exist; 409 once bidding has opened */
export async function dropPreset(ctx: Context, actor: Actor, postId: string): Promise<void> {
  if ((await findState(ctx.db, postId, 0)) === undefined) throw notFound('This auction')
  await ctx.transact(async (tx, emit) => {
    if (!(await removePreset(tx, postId, actor.dealerId))) throw started()
    await touchInbox(tx, emit, [actor.dealerId], 'lane', postId)
  })
}

/** Runs as a job when bidding opens. Places the preset maximums or, if the seller has moved the start, reschedules the job. */
export async function openOrReschedule(tx: Tx, emit: Emit, postId: string): Promise<void> {
  const opening = await lockOpening(tx, postId)
  if (opening?.status === 'open' && !opening.hasStarted)
    await emit.job('auction.presets', { postId }, { runAt: opening.startsAt, uniqueKey: postId })
  else if (opening !== undefined) await placePresets(tx, emit, postId)
}

/** Places maximums that are overdue because the start was moved or the queue was down. Every worker runs this. */
export const sweepPresets = async (ctx: Context): Promise<void> =>
  sweepEach(ctx, await listOverduePresets(ctx.db), 'preset maximums could not be placed', openOrReschedule)

/** Places an auction's maximums in order. The bids use the presets' keys, so placing a maximum twice has no effect. */
async function placePresets(tx: Tx, emit: Emit, postId: string): Promise<void> {
  const presets = await listPresets(tx, postId)
  if (presets.length === 0) return
  const { outcomes, moved } = await placeBids(tx, presets)
  for (const { seq, priceCents, decidedAt, outboxId, outbid, title } of moved) {
    emit('auction.decided', { postId, seq, decidedAt })
    await emit('auction.changed', { postId }, outboxId)
    for (const dealerId of outbid)
      emit('auction.outbid', { postId, dealerId, title: title ?? '', amount: dollarsOf(priceCents), seq })
  }
  await removePresets(
    tx,
    presets.map(({ key }) => key),
  )
  const title = (await findTitle(tx, postId)) ?? ''
  const notices = presets.flatMap((preset, index) => noticeOf(preset, outcomes[index], title) ?? [])
  await notify(tx, emit, ...notices)
  for (const [index, { bidderId }] of presets.entries())
    if (outcomes[index]?.refusal === null) emit('auction.placed', { postId, dealerId: bidderId })
  await touchInbox(
    tx,
    emit,
    presets.map(({ bidderId }) => bidderId),
    'lane',
    postId,
  )
}

const startRaised = 'the seller raised the starting amount above it'
const notPlacedTitle = (why: string) => `Your preset maximum was not placed: ${why}`

interface DropReason {
  reason: string
  more?: string
  path?: string
}

export async function endPresets(tx: Tx, emit: Emit, postId: string, why: DropReason): Promise<void> {
  await notifyDropped(tx, emit, postId, await removePresetsOfPost(tx, postId), why)
}

/** Deletes maximums below the raised starting amount and notifies their dealers, who can set a new maximum. */
export async function endPresetsBelow(tx: Tx, emit: Emit, postId: string, startCents: number): Promise<void> {
  const dropped = await removePresetsOfPost(tx, postId, startCents)
  const more = `bidding now starts at ${formatMoney(dollarsOf(startCents))}`
  await notifyDropped(tx, emit, postId, dropped, { reason: startRaised, more })
}

async function notifyDropped(
  tx: Tx,
  emit: Emit,
  postId: string,
  dropped: Awaited<ReturnType<typeof removePresetsOfPost>>,
  { reason, more, path }: DropReason,
): Promise<void> {
  if (dropped.length === 0) return
  const title = (await findTitle(tx, postId)) ?? ''
  const body = more === undefined ? title : `${title}: ${more}`
  const notices = dropped.map(({ bidderId, key }) => ({
    ...presetNotice({ postId, bidderId, key }, notPlacedTitle(reason), body),
    ...(path !== undefined && { path }),
  }))
  await notify(tx, emit, ...notices)
  const dealerIds = dropped.map(({ bidderId }) => bidderId)
  await touchInbox(tx, emit, dealerIds, 'lane', postId)
}

const reasons: Partial<Record<NonNullable<BidOutcome['refusal']>, string>> = {
  CLOSED: 'the auction is not open',
  LEADING: 'you were already leading',
  LIMIT: 'it would have put you over your day limit',
  NO_PLAN: 'bidding needs a plan',
  OWING: 'your last payment failed',
  OWN: 'it is your own auction',
  STOPPED: 'an admin must let you bid again',
  TOO_LOW: 'other bids were higher',
  UNCONFIRMED: 'bidding here requires a confirmed email address',
  LICENSE: 'only verified dealers can bid here',
}

const outbid = 'You have been outbid'

function titleFor(outcome: BidOutcome): string | undefined {
  if (outcome.refusal === null) return outcome.leads ? undefined : outbid
  const isBelowStart = outcome.refusal === 'TOO_LOW' && outcome.priceCents === null
  const why = isBelowStart ? startRaised : reasons[outcome.refusal]
  return why && notPlacedTitle(why)
}

/** Returns undefined if the maximum leads or needs no notice. */
function noticeOf(preset: BidRequest, outcome: BidOutcome | undefined, title: string): Notice | undefined {
  const text = outcome && titleFor(outcome)
  if (outcome === undefined || text === undefined) return undefined
  const price = outcome.refusal !== null && isBarred(outcome) ? null : outcome.priceCents
  return presetNotice(preset, text, price === null ? title : `${title}: now ${formatMoney(dollarsOf(price))}`)
}

/** The dedupe key reports each maximum only once. Its prefix `outbid:` makes pending pushes expire with the auction. */
function presetNotice(
  { postId, bidderId, key }: Pick<BidRequest, 'postId' | 'bidderId' | 'key'>,
  title: string,
  body: string,
): Notice {
  const about = title === outbid ? `outbid:${postId}:preset:${key}` : `preset:${key}`
  return { dealerId: bidderId, kind: 'outbid', title, body, path: `/post/${postId}`, key: about }
}

export const dropPresets = (tx: Tx, dealerId: string): Promise<void> => removePresetsOf(tx, dealerId)
