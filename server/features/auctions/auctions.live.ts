import { shownBidsMax } from '#shared/limits.ts'
import { createBatches } from '#server/platform/database/statement-batches.ts'
import { isId } from '#server/platform/ids.ts'
import type { LiveFeature } from '#server/realtime/live-server.ts'
import { createPaced } from '#server/realtime/throttle.ts'
import { auctionRoom, dealerRoom, lotRoom, postRoom } from '#server/realtime/rooms.ts'
import { findState, listStates } from './auctions.repository.ts'
import { type AuctionRow, toAuctionState } from './auctions.rows.ts'
import { recordDecided, recordSent } from './bid-delay-metrics.ts'

const stateEveryMs = 50

export const auctionsLive: LiveFeature = {
  views: {
    auction: async (ctx, _actor, id) =>
      isId(id) && (await findState(ctx.db, id, 0)) !== undefined ? auctionRoom(id) : undefined,
    lot: async (ctx, _actor, id) =>
      isId(id) && (await findState(ctx.db, id, 0)) !== undefined ? lotRoom(id) : undefined,
  },
  publish(ctx, io) {
    const readState = createBatches<string, AuctionRow | null>(
      (postId) => postId,
      async (postIds) => {
        const states = await listStates(ctx.db, postIds, shownBidsMax)
        return postIds.map((postId) => states.get(postId) ?? null)
      },
    )
    // Read the state at the time of sending, so that clients get the latest state even after many bids.
    const send = async (postId: string) => {
      const row = await readState(postId)
      const state = row === null ? null : toAuctionState(row)
      if (state !== null)
        for (const room of [postRoom(postId), lotRoom(postId)]) io.to(room).emit('auction.state', state)
      recordSent(ctx, postId, state)
      ctx.bus.publish('auction.read', { postId, state })
    }
    const { request: publishState } = createPaced({ everyMs: stateEveryMs }, (postId) => {
      send(postId).catch((error: unknown) => ctx.log.warn({ err: error, postId }, 'an auction state was not sent'))
    })
    ctx.bus.on('auction.decided', (decided) => recordDecided(ctx, decided))
    ctx.bus.on('auction.changed', ({ postId }) => publishState(postId))
    ctx.bus.on(
      'auction.outbid',
      ({ dealerId, ...event }) => void io.to(dealerRoom(dealerId)).emit('auction.outbid', event),
    )
  },
  merges: {
    'auction.state': (queued, next) => (next.seq >= queued.seq ? next : queued),
  },
}
