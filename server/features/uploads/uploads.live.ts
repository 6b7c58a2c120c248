import type { LiveFeature } from '#server/realtime/live-server.ts'
import { dealerRoom, postRoom } from '#server/realtime/rooms.ts'

/** Publishes progress and errors to the uploader, and the finished file to everyone who can see it. */
export const uploadsLive: LiveFeature = {
  publish(ctx, io) {
    ctx.bus.on('object.changed', ({ objectId, dealerId, state, error, postIds, dealerIds }) => {
      const others = [...postIds.map(postRoom), ...dealerIds.filter((id) => id !== dealerId).map(dealerRoom)]
      if (others.length > 0) io.to(others).emit('object.changed', { objectId, state, error: null })
      io.to(dealerRoom(dealerId)).emit('object.changed', { objectId, state, error })
    })
  },
}
