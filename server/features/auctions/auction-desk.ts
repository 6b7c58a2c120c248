import type { Context } from '#server/platform/context.ts'
import { brokenConstraint } from '#server/platform/db.ts'
import { announce } from '#server/platform/transact.ts'
import { placeBids, type AuctionMoved, type BidOutcome, type BidRequest } from './auctions.repository.ts'

/** Statements under way at once: bids never take more of the pool than this, however many wait for a row lock. */
const lanesMax = 4
const batchMax = 64

interface Waiting {
  request: BidRequest
  resolve: (outcome: BidOutcome) => void
  reject: (error: unknown) => void
}

/** Where the bids of this process are handed in. */
export interface BidDesk {
  /** Committed when it is answered. @throws what the statement throws; a key that two auctions got breaks a constraint. */
  place(request: BidRequest): Promise<BidOutcome>
}

const laneOf = (postId: string): number => Number.parseInt(postId.slice(-4), 16) % lanesMax

/** Tells what bids have changed, once it is committed. The outbid dealer's notice is durable; the live word is a hint. */
export function announceMoved(ctx: Pick<Context, 'bus' | 'outbox'>, moved: AuctionMoved[]): void {
  for (const { outboxId, state, title, outbid } of moved) {
    announce(ctx, outboxId, 'auction.changed', state)
    const { postId, seq, amount } = state
    for (const dealerId of outbid)
      ctx.bus.publish('auction.outbid', { postId, dealerId, title, amount: amount ?? 0, seq })
  }
}

async function decide(ctx: Context, waiting: Waiting[]): Promise<void> {
  try {
    const { outcomes, moved } = await placeBids(
      ctx.db,
      waiting.map(({ request }) => request),
    )
    announceMoved(ctx, moved)
    for (const [index, { resolve, reject }] of waiting.entries()) {
      const outcome = outcomes[index]
      if (outcome === undefined) reject(new Error('place_bids left a bid unanswered'))
      else resolve(outcome)
    }
  } catch (error) {
    // One bid's fault is not its neighbours': nothing was committed, so each is decided by itself.
    if (waiting.length > 1 && brokenConstraint(error) !== undefined) for (const one of waiting) await decide(ctx, [one])
    else for (const { reject } of waiting) reject(error)
  }
}

/**
 * Bids that arrive while a statement is under way wait for the next one, which decides them together: one round trip
 * and one commit for many. An auction has one lane, so its bids are decided in the order in which they came.
 */
export function createBidDesk(ctx: Context): BidDesk {
  const lanes = Array.from({ length: lanesMax }, () => ({ waiting: [] as Waiting[], busy: false }))
  const drain = async (lane: (typeof lanes)[number]) => {
    lane.busy = true
    while (lane.waiting.length > 0) await decide(ctx, lane.waiting.splice(0, batchMax))
    lane.busy = false
  }
  return {
    place(request) {
      const lane = lanes[laneOf(request.postId)]
      if (lane === undefined) throw new Error('a post id ends in hexadecimal digits')
      return new Promise((resolve, reject) => {
        lane.waiting.push({ request, resolve, reject })
        if (!lane.busy) void drain(lane)
      })
    },
  }
}
