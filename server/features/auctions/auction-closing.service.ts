import type { Auction } from '#shared/schemas/auctions.ts'
import { formatMoney } from '#shared/format.ts'
import { trimText } from '#shared/visible-text.ts'
import { type AppError, badRequest, conflict, forbidden, notFound } from '#server/errors.ts'
import { type By, recordAct } from '#server/features/audit/audit.service.ts'
import { findDealer } from '#server/features/dealers/dealers.service.ts'
import { openDeal } from '#server/features/deals/deal-opening.service.ts'
import { expireOffers, offerFromAuction } from '#server/features/deals/offers/offers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { refreshFind, announceOffered } from '#server/features/find/refresh-find.service.ts'
import { notify, type Notice } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { isSuspendedAt } from '#server/platform/database/suspension.ts'
import { sweepEach } from '#server/platform/database/sweep-rows.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { endPresets, sweepPresets } from './presets/auction-presets.service.ts'
import {
  claimOutbid,
  closeDue,
  endEarly,
  findOpenEnd,
  findState,
  findTitle,
  listBidders,
  listDue,
} from './auctions.repository.ts'
import { lockAuction, type LockedAuction, setFinalStatus } from '#server/features/sale/sale.service.ts'
import { readAuction } from './auctions.service.ts'
import { markUnseen } from './shared-accounts/shared-accounts.repository.ts'

/** Closes the auction if it is due. If two calls run concurrently, the second waits for the row lock and then does nothing. */
async function closeAuction(tx: Tx, emit: Emit, postId: string): Promise<boolean> {
  const closed = await closeDue(tx, postId)
  if (closed === undefined) return false
  await markUnseen(tx, postId)
  const { sellerId, leaderId, amountCents, buyFeeCents, buyFeeBasisPoints } = closed
  const amount = dollarsOf(amountCents ?? 0)
  let dealId: string | undefined
  if (leaderId === null || amountCents === null) {
    await emit('auction.unsold', { postId, sellerId })
    await announceOffered(emit, postId)
  } else {
    const sale = { postId, sellerId, buyerId: leaderId, amountCents, buyFeeCents, buyFeeBasisPoints }
    const noBuyerReason = noBuyerReasonOf(await findDealer(tx, leaderId), closed.status)
    if (noBuyerReason !== undefined) {
      await endWithoutSale(tx, emit, sale, noBuyerReason)
      await announceOffered(emit, postId)
      return true
    }
    if (closed.status === 'sold') {
      dealId = await openDeal(tx, emit, { ...sale, vehicleId: undefined, source: 'auction', actorId: null })
      if (dealId === undefined) {
        await endWithoutSale(tx, emit, sale, 'its vehicle is no longer available')
        return true
      }
      await emit('auction.won', { postId, dealerId: leaderId, sellerId, dealId, amount })
    } else {
      const offerId = await offerFromAuction(tx, emit, sale)
      await emit('auction.undecided', { postId, sellerId, bidderId: leaderId, offerId, amount })
    }
  }
  await refreshFind(tx, [postId])
  await emit('auction.changed', { postId })
  await notifyClosed(tx, emit, { postId, seq: closed.seq, sellerId, winnerId: leaderId, amount, dealId })
  return true
}

function noBuyerReasonOf(leader: Awaited<ReturnType<typeof findDealer>>, status: string): string | undefined {
  if (leader === undefined) return 'the highest bidder is no longer on Lanewire'
  // Below the reserve, the seller can wait up to 24 hours before deciding, and the suspension may be over by then.
  return status === 'sold' && isSuspendedAt(leader, new Date()) ? 'the highest bidder cannot buy right now' : undefined
}

async function endWithoutSale(
  tx: Tx,
  emit: Emit,
  { postId, sellerId, buyerId }: { postId: string; sellerId: string; buyerId: string },
  why: string,
): Promise<void> {
  await setFinalStatus(tx, postId, 'no_sale', ['sold', 'deciding'])
  await refreshFind(tx, [postId])
  await emit('auction.unsold', { postId, sellerId })
  await emit('auction.changed', { postId })
  await notifyEndedWithoutSale(tx, emit, postId, [sellerId, buyerId], why)
}

/**
 * @throws 404 if the auction does not exist; 403 if it belongs to another dealer; 400 without a reason; 409 if it is over, its highest bid
 * meets the reserve, or it has a bid and no reserve
 */
export async function endAuction(ctx: Context, by: By, postId: string, reason: string): Promise<Auction> {
  const why = trimText(reason)
  if (why === '') throw badRequest('Enter a reason. Bidders will see it', { fields: ['reason'] })
  const { dealerId } = by.actor
  const found = await findState(ctx.db, postId, 1)
  if (found === undefined) throw notFound('This auction')
  await ctx.transact(async (tx, emit) => {
    const locked = await lockAuction(tx, postId, dealerId)
    if (locked === undefined) throw forbidden('Only the seller can end this auction')
    if (!(await endEarly(tx, postId, why))) throw cannotEndError(locked)
    const title = (await findTitle(tx, postId)) ?? ''
    const { bidCount, amountCents, status } = locked
    const amount = amountCents === null ? null : dollarsOf(amountCents)
    await recordAct(tx, by, {
      action: 'auction.end',
      subject: { kind: 'post', id: postId, name: title },
      reason: why,
      before: { status, bidCount, amount },
      after: { status: 'no_sale' },
    })
    await markUnseen(tx, postId)
    await refreshFind(tx, [postId])
    await emit('auction.unsold', { postId, sellerId: dealerId })
    await announceOffered(emit, postId)
    await emit('auction.changed', { postId })
    await endPresets(tx, emit, postId, { reason: 'the seller has ended the auction', more: why })
    const bidders = await listBidders(tx, postId)
    const notice = { kind: 'deal', title: `The seller ended the auction: ${title}`, body: why } as const
    // This key is unique, because an auction with bids is never restarted.
    const about = { path: pathOf(postId), key: `ended:${postId}` }
    await notify(tx, emit, ...bidders.map(({ id }) => ({ ...notice, ...about, dealerId: id })))
  })
  return readAuction(ctx, by.actor, postId)
}

function cannotEndError({ amountCents, reserveCents, status, isDue }: LockedAuction): AppError {
  if (status !== 'open' || isDue || amountCents === null) return conflict('This auction is over')
  return conflict(
    reserveCents === null
      ? 'There is a bid and no reserve, so you cannot end the auction early'
      : 'The reserve is met, so you cannot end the auction early',
  )
}

/** Runs as a job at the scheduled end. Closes the auction or, if a bid has extended it, reschedules the job. */
export async function closeOrReschedule(tx: Tx, emit: Emit, postId: string): Promise<void> {
  if (await closeAuction(tx, emit, postId)) return
  const endsAt = await findOpenEnd(tx, postId)
  if (endsAt !== undefined) await emit.job('auction.close', { postId }, { runAt: endsAt, uniqueKey: postId })
}

/** Closes auctions that are due. Every worker runs this. While Redis is unavailable, only this function closes auctions. */
export const sweepAuctions = async (ctx: Context): Promise<void> =>
  sweepEach(ctx, await listDue(ctx.db), 'an auction could not be closed', closeAuction)

const sweepEveryMs = 500

/** Starts the loop that opens and closes due auctions, sends outbid notices and expires offers. Returns a function that stops it. */
export function startAuctionSweeper(ctx: Context): () => Promise<void> {
  let running: Promise<void> | undefined
  const sweep = async () => {
    for (const step of [sweepPresets, sweepAuctions, notifyOutbid, expireOffers])
      await step(ctx).catch((error: unknown) =>
        ctx.log.warn({ err: error }, 'the auction sweep failed and will be repeated'),
      )
    running = undefined
  }
  const timer = setInterval(() => void (running ??= sweep()), sweepEveryMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}

const outbidAtOnce = 50
const pathOf = (postId: string) => `/post/${postId}`

/** A dealer gets at most one notice per auction and sweep, even if the price rose several times, and none if they lead again. */
async function notifyOutbid(ctx: Context): Promise<void> {
  let claimed = outbidAtOnce
  while (claimed === outbidAtOnce)
    claimed = await ctx.transact(async (tx, emit) => {
      const outbid = await claimOutbid(tx, outbidAtOnce)
      const notices = outbid
        .filter(({ settled }) => !settled)
        .map(({ postId, bidderId, seq, amountCents, title }): Notice => ({
          dealerId: bidderId,
          kind: 'outbid',
          title: 'You have been outbid',
          body: `${title}: now ${formatMoney(dollarsOf(amountCents))}`,
          path: pathOf(postId),
          key: `outbid:${postId}:${seq}`,
        }))
      if (notices.length > 0) await notify(tx, emit, ...notices)
      return outbid.length
    })
}

async function notifyClosed(
  tx: Tx,
  emit: Emit,
  end: {
    postId: string
    seq: number
    sellerId: string
    winnerId: string | null
    amount: number
    dealId: string | undefined
  },
): Promise<void> {
  const { postId, sellerId, winnerId, dealId } = end
  const title = (await findTitle(tx, postId)) ?? ''
  const price = formatMoney(end.amount)
  // The key includes `seq`, because an auction without bids can be restarted and end again.
  const closedNotice = (dealerId: string, text: string, path: string) =>
    ({ dealerId, kind: 'deal', title: text, body: title, path, key: `closed:${postId}:${end.seq}` }) as const
  if (winnerId === null)
    await notify(tx, emit, closedNotice(sellerId, 'Your auction ended without a bid', pathOf(postId)))
  else if (dealId === undefined)
    await notify(
      tx,
      emit,
      closedNotice(sellerId, `Reserve not met: the highest bid is ${price}. You have 24 hours to answer`, '/deals'),
      closedNotice(
        winnerId,
        `Reserve not met: your bid of ${price} is the highest. The seller has 24 hours to answer`,
        '/deals',
      ),
    )
  else
    await notify(tx, emit, closedNotice(sellerId, `Sold at auction for ${price}`, `/deals/${dealId}`), {
      dealerId: winnerId,
      kind: 'won',
      title: `You won at ${price}`,
      body: title,
      path: `/deals/${dealId}`,
      key: `won:${dealId}`,
    })
  if (winnerId !== null) await touchInbox(tx, emit, [winnerId], 'lane', postId)
}

async function notifyEndedWithoutSale(
  tx: Tx,
  emit: Emit,
  postId: string,
  dealerIds: string[],
  why: string,
): Promise<void> {
  const body = (await findTitle(tx, postId)) ?? ''
  const title = `The auction ended without a sale: ${why}`
  const notice = { kind: 'deal', title, body, path: pathOf(postId), key: `gone:${postId}` } as const
  await notify(tx, emit, ...dealerIds.map((dealerId) => ({ ...notice, dealerId })))
}
