import { notify, type Notice } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Tx } from '#server/platform/db.ts'
import { dollarsOf, formatDollars } from '#server/platform/money.ts'
import type { Emit } from '#server/platform/transact.ts'
import { claimOutbid, findTitle } from './auctions.repository.ts'

const outbidAtOnce = 50
const pathOf = (postId: string) => `/post/${postId}`

/** Those outbid are told by the sweep: once in its interval however often the price rose, and not when they lead again. */
export async function notifyOutbid(ctx: Context): Promise<void> {
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
          body: `${title}: now ${formatDollars(dollarsOf(amountCents))}`,
          path: pathOf(postId),
          key: `outbid:${postId}:${seq}`,
        }))
      if (notices.length > 0) await notify(tx, emit, ...notices)
      return outbid.length
    })
}

/** What the end means, to the two it concerns. `dealId` where it was sold. */
export async function notifyClosed(
  tx: Tx,
  emit: Emit,
  end: { postId: string; sellerId: string; winnerId: string | null; amount: number; dealId: string | undefined },
): Promise<void> {
  const { postId, sellerId, winnerId, dealId } = end
  const title = (await findTitle(tx, postId)) ?? ''
  const price = formatDollars(end.amount)
  const seller = (text: string, path: string) =>
    ({
      dealerId: sellerId,
      kind: 'deal',
      title: text,
      body: title,
      path,
      key: `closed:${postId}:${dealId ?? price}`,
    }) as const
  if (winnerId === null) await notify(tx, emit, seller('Your auction ended without a bid', pathOf(postId)))
  else if (dealId === undefined)
    await notify(
      tx,
      emit,
      seller(`Reserve not met: the highest bid is ${price}. You have 24 hours to answer`, '/deals'),
    )
  else
    await notify(tx, emit, seller(`Sold at auction for ${price}`, `/deals/${dealId}`), {
      dealerId: winnerId,
      kind: 'won',
      title: `You won at ${price}`,
      body: title,
      path: `/deals/${dealId}`,
      key: `won:${dealId}`,
    })
}

/** The highest bidder and the seller: the vehicle was not there to be sold. */
export async function notifyGone(tx: Tx, emit: Emit, postId: string, dealerIds: string[]): Promise<void> {
  const body = (await findTitle(tx, postId)) ?? ''
  const title = 'The auction ended without a sale: its vehicle is no longer available'
  const notice = { kind: 'deal', title, body, path: pathOf(postId), key: `gone:${postId}` } as const
  await notify(tx, emit, ...dealerIds.map((dealerId) => ({ ...notice, dealerId })))
}
