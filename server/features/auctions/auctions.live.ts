import type { LiveFeature } from '#server/realtime/live-server.ts'
import { dealerRoom, postRoom } from '#server/realtime/rooms.ts'
import { createNewestWins } from './auction-throttle.ts'
import type { StoredAuctionState } from './auctions.repository.ts'
import { toAuctionState } from './auctions.rows.ts'

const stateEveryMs = 100

export const auctionsLive: LiveFeature = {
  publish(ctx, io) {
    const say = createNewestWins<StoredAuctionState>(
      stateEveryMs,
      (state) => state.seq,
      (state) => void io.to(postRoom(state.postId)).emit('auction.state', toAuctionState(state, ctx.now())),
    )
    ctx.bus.on('auction.changed', (state) => say(state.postId, state))
    ctx.bus.on(
      'auction.outbid',
      ({ dealerId, ...event }) => void io.to(dealerRoom(dealerId)).emit('auction.outbid', event),
    )
  },
}
