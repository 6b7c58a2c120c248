import { formatMoney } from '#shared/format.ts'
import { badRequest, conflict, forbidden, notFound } from '#server/errors.ts'
import { requireEntitlement } from '#server/features/billing/billing.policy.ts'
import { requireMayBid } from '#server/features/dealers/bidding.service.ts'
import { requireMayTrade } from '#server/features/dealers/licenses.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify, type Notice } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Tx } from '#server/platform/db.ts'
import { centsOf, dollarsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session.ts'
import { sweepEach } from '#server/platform/sweep.ts'
import type { Emit } from '#server/platform/transact.ts'
import {
  listOverduePresets,
  listPresets,
  lockOpening,
  removePreset,
  removePresets,
  removePresetsOf,
  takePresets,
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
 * Keeps the dealer's maximum until bidding opens; only they see it.
 * @throws 404, 403 on one's own auction, without the license that the network asks for, or where an admin has to let one bid again, 402
 * without a plan, 400 below the starting amount, 409 once bidding has opened, 429
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

/** Takes it back; none is none. @throws 404, 409 once bidding has opened */
export async function dropPreset(ctx: Context, actor: Actor, postId: string): Promise<void> {
  if ((await findState(ctx.db, postId, 0)) === undefined) throw notFound('This auction')
  await ctx.transact(async (tx, emit) => {
    if (!(await removePreset(tx, postId, actor.dealerId))) throw started()
    await touchInbox(tx, emit, [actor.dealerId], 'lane', postId)
  })
}

/** At the start, or when it should have been: a seller may have moved it, and then maximums wait for the new one. */
export async function openOrWait(tx: Tx, emit: Emit, postId: string): Promise<void> {
  const opening = await lockOpening(tx, postId)
  if (opening?.status === 'open' && !opening.hasStarted)
    await emit.job('auction.presets', { postId }, { runAt: opening.startsAt, uniqueKey: postId })
  else if (opening !== undefined) await handIn(tx, emit, postId)
}

/** Hands in what waits although bidding has opened: the start was moved, or there was no queue. Every worker does this. */
export const sweepPresets = async (ctx: Context): Promise<void> =>
  sweepEach(ctx, await listOverduePresets(ctx.db), 'maximums at the start could not be handed in', openOrWait)

/**
 * Hands in an auction's maximums, in the order in which they were set. All of it is one transaction: after a crash nothing has happened,
 * and a bid that came meanwhile has decided them before itself, by the same keys.
 */
async function handIn(tx: Tx, emit: Emit, postId: string): Promise<void> {
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
const notPlaced = (why: string) => `Your preset maximum was not placed: ${why}`

/** Why maximums are not handed in, and what else their dealers are told. */
interface Lapse {
  words: string
  more?: string
  /** Absent: their post. */
  path?: string
}

/** The auction ends before its maximums were handed in: nobody bids them, also where it is run again, and who has set one is told why. */
export async function endPresets(tx: Tx, emit: Emit, postId: string, why: Lapse): Promise<void> {
  await tellLapsed(tx, emit, postId, await takePresets(tx, postId), why)
}

/** The seller has raised the start: who stays below it is told while they can still set another. */
export async function endPresetsBelow(tx: Tx, emit: Emit, postId: string, startCents: number): Promise<void> {
  const lapsed = await takePresets(tx, postId, startCents)
  const more = `bidding now starts at ${formatMoney(dollarsOf(startCents))}`
  await tellLapsed(tx, emit, postId, lapsed, { words: startRaised, more })
}

async function tellLapsed(
  tx: Tx,
  emit: Emit,
  postId: string,
  lapsed: Awaited<ReturnType<typeof takePresets>>,
  { words, more, path }: Lapse,
): Promise<void> {
  if (lapsed.length === 0) return
  const title = (await findTitle(tx, postId)) ?? ''
  const body = more === undefined ? title : `${title}: ${more}`
  const notices = lapsed.map(({ bidderId, key }) => ({
    ...aNotice({ postId, bidderId, key }, notPlaced(words), body),
    ...(path !== undefined && { path }),
  }))
  await notify(tx, emit, ...notices)
  const holders = lapsed.map(({ bidderId }) => bidderId)
  await touchInbox(tx, emit, holders, 'lane', postId)
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

function wordsOf(outcome: BidOutcome): string | undefined {
  if (outcome.refusal === null) return outcome.leads ? undefined : 'You have been outbid'
  const isBelowStart = outcome.refusal === 'TOO_LOW' && outcome.priceCents === null
  const why = isBelowStart ? startRaised : reasons[outcome.refusal]
  return why && notPlaced(why)
}

/** Undefined: it led, or there is nobody to tell. Whoever led and was outbid is told as after any bid. */
function noticeOf(preset: BidRequest, outcome: BidOutcome | undefined, title: string): Notice | undefined {
  const words = outcome && wordsOf(outcome)
  if (outcome === undefined || words === undefined) return undefined
  const price = outcome.refusal !== null && isBarred(outcome) ? null : outcome.priceCents
  return aNotice(preset, words, price === null ? title : `${title}: now ${formatMoney(dollarsOf(price))}`)
}

/** Each maximum is told of once. */
function aNotice(
  { postId, bidderId, key }: Pick<BidRequest, 'postId' | 'bidderId' | 'key'>,
  title: string,
  body: string,
): Notice {
  return { dealerId: bidderId, kind: 'outbid', title, body, path: `/post/${postId}`, key: `preset:${key}` }
}

/** Of an account that goes. */
export const dropPresets = (tx: Tx, dealerId: string): Promise<void> => removePresetsOf(tx, dealerId)
