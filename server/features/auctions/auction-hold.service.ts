import { auctionDefaultMs, auctionMinMs, hardEndAfterMs } from '#shared/limits.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { lockAuction, stopOpen } from './auction-hold.repository.ts'
import { announceState } from './auction-outcome.service.ts'
import { updateTerms } from './auctions.repository.ts'
import { openAuction } from './auctions.service.ts'

type HeldAuction = Awaited<ReturnType<typeof lockAuction>>

/**
 * The auction of the seller's post, locked. Call it before the post is locked: the close of an auction takes its row
 * first and the post after it.
 */
export async function holdAuction(tx: Tx, postId: string, sellerId: string): Promise<HeldAuction> {
  return lockAuction(tx, postId, sellerId)
}

interface LotChange {
  postId: string
  sellerId: string
  /** The first vehicle's price. */
  askingCents: number | undefined
  /** Whether the post was, and is now, on offer as an auction: active, and its words say so. */
  was: boolean
  is: boolean
  now: Date
}

/**
 * An auction without a bid follows its post: it ends when the post is gone, sold, expired or no longer speaks of an
 * auction, and begins (again, for as long as before) when the post is back.
 */
export async function followPost(tx: Tx, emit: Emit, auction: HeldAuction, change: LotChange): Promise<void> {
  const { postId, sellerId, askingCents, was, is, now } = change
  if (was === is) return
  if (!is) {
    if (await stopOpen(tx, postId, { onlyWithoutBids: true })) await announceState(tx, emit, postId)
  } else if (auction === undefined) await openAuction(tx, emit, { id: postId, sellerId, askingCents }, {}, now)
  else if (auction.bidCount === 0) {
    const length = auction.endsAt.getTime() - auction.startsAt.getTime()
    const endsAt = new Date(now.getTime() + (length < auctionMinMs ? auctionDefaultMs : length))
    const { startCents, reserveCents } = auction
    const hardEndsAt = new Date(endsAt.getTime() + hardEndAfterMs)
    if (!(await updateTerms(tx, postId, { startCents, reserveCents, startsAt: now, endsAt, hardEndsAt }))) return
    await emit.job('auction.close', { postId }, { runAt: endsAt, uniqueKey: postId })
    await announceState(tx, emit, postId)
  }
}
