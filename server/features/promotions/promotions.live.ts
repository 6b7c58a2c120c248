import type { LiveFeature } from '#server/realtime/live-server.ts'
import { everyoneRoom } from '#server/realtime/rooms.ts'

export const promotionsLive: LiveFeature = {
  publish(ctx, io) {
    ctx.bus.on('promotions.changed', () => void io.to(everyoneRoom).emit('promotions.changed', {}))
  },
  async connected(_ctx, socket) {
    await socket.join(everyoneRoom)
  },
}
