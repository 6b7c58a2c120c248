import { createBatches } from '#server/platform/batches.ts'
import { isId } from '#server/platform/ids.ts'
import type { LiveFeature } from '#server/realtime/live-server.ts'
import { createPaced } from '#server/realtime/paced.ts'
import { auctionRoom, dealerRoom, postRoom } from '#server/realtime/rooms.ts'
import { findState, listStates } from './auctions.repository.ts'
import { type AuctionRow, toAuctionState } from './auctions.rows.ts'

const stateEveryMs = 100
const recentBids = 3

export const auctionsLive: LiveFeature = {
  views: {
    auction: async (ctx, _actor, id) =>
      isId(id) && (await findState(ctx.db, id, 1)) !== undefined ? auctionRoom(id) : undefined,
  },
  publish(ctx, io) {
    const readState = createBatches<string, AuctionRow | null>(
      (postId) => postId,
      async (postIds) => {
        const states = await listStates(ctx.db, postIds, recentBids)
        return postIds.map((postId) => states.get(postId) ?? null)
      },
    )
    // What is sent is read when it is sent: the newest, however many bids there were since the last.
    const send = async (postId: string) => {
      const state = await readState(postId)
      if (state !== null) io.to(postRoom(postId)).emit('auction.state', toAuctionState(state))
    }
    const { tell } = createPaced(stateEveryMs, (postId) => {
      send(postId).catch((error: unknown) => ctx.log.warn({ err: error, postId }, 'an auction was not told of'))
    })
    ctx.bus.on('auction.changed', ({ postId }) => tell(postId))
    ctx.bus.on(
      'auction.outbid',
      ({ dealerId, ...event }) => void io.to(dealerRoom(dealerId)).emit('auction.outbid', event),
    )
  },
  merges: {
    'auction.state': (held, next) => (next.seq >= held.seq ? next : held),
  },
}
