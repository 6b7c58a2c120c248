import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Tx } from '#server/platform/db.ts'
import { formatDollars } from '#server/platform/money.ts'
import type { Emit } from '#server/platform/transact.ts'
import { findOwnSide, findState, findTitle } from './auctions.repository.ts'

const pathOf = (postId: string) => `/post/${postId}`

/** Once per price that beat them, and not when they lead again or it is over. */
export async function notifyOutbid(
  tx: Tx,
  emit: Emit,
  { postId, dealerId }: { postId: string; dealerId: string },
): Promise<void> {
  const found = await findState(tx, postId, 1)
  if (found === undefined || found.state.status !== 'open' || found.state.amount === null) return
  const { leaderId } = await findOwnSide(tx, postId, dealerId)
  if (leaderId === dealerId) return
  await notify(tx, emit, {
    dealerId,
    kind: 'outbid',
    title: 'You have been outbid',
    body: `${(await findTitle(tx, postId)) ?? ''}: now ${formatDollars(found.state.amount)}`,
    path: pathOf(postId),
    key: `outbid:${postId}:${found.state.seq}`,
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
    await notify(
      tx,
      emit,
      seller(`Sold at auction for ${price}`, `/deals/${dealId}`),
      { dealerId: winnerId, kind: 'won', title: `You won at ${price}`, body: title, path: `/deals/${dealId}`, key: `won:${dealId}` }, // prettier-ignore
    )
}
