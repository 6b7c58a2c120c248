import type { LiveFeature } from '#server/realtime/live-server.ts'
import { dealerRoom } from '#server/realtime/rooms.ts'

/** Only the dealer who uploads hears how it goes. */
export const uploadsLive: LiveFeature = {
  publish(ctx, io) {
    ctx.bus.on(
      'object.changed',
      ({ dealerId, ...event }) => void io.to(dealerRoom(dealerId)).emit('object.changed', event),
    )
  },
}
