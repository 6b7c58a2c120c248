import type { LiveFeature } from '#server/realtime/live-server.ts'
import { dealerRoom } from '#server/realtime/rooms.ts'
import { currentRev } from './inbox.service.ts'

export const inboxLive: LiveFeature = {
  publish(ctx, io) {
    ctx.bus.on(
      'inbox.changed',
      ({ dealerId, rev, what, id }) => void io.to(dealerRoom(dealerId)).emit('inbox.changed', { rev, what, id }),
    )
  },
  async sync(ctx, actor, { dealer }) {
    const rev = await currentRev(ctx, actor.dealerId)
    return rev === dealer ? {} : { dealer: rev }
  },
}
