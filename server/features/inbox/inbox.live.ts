import type { LiveFeature } from '#server/realtime/live-server.ts'
import { dealerRoom } from '#server/realtime/rooms.ts'
import { findRev } from './inbox.repository.ts'

export const inboxLive: LiveFeature = {
  publish(ctx, io) {
    ctx.bus.on(
      'inbox.changed',
      ({ dealerId, rev, what, id }) => void io.to(dealerRoom(dealerId)).emit('inbox.changed', { rev, what, id }),
    )
  },
  async sync(ctx, actor, { dealer }) {
    const rev = await findRev(ctx.db, actor.dealerId)
    return rev === dealer ? {} : { dealer: rev }
  },
}
