import type { LiveFeature } from '#server/realtime/live-server.ts'
import { opsRoom } from '#server/realtime/rooms.ts'
import { opsFigures } from './ops.service.ts'

const pushEveryMs = 1_000

/** Each node computes the figures for its own clients, and only while one of them is watching. */
export const opsLive: LiveFeature = {
  publish(ctx, io) {
    let asking = false
    const push = async () => {
      if (asking || !io.sockets.adapter.rooms.has(opsRoom)) return
      asking = true
      try {
        io.local.to(opsRoom).emit('ops.queues', await opsFigures(ctx))
      } catch (error) {
        ctx.log.debug({ err: error }, 'the queue figures could not be read this second')
      } finally {
        asking = false
      }
    }
    const timer = setInterval(() => void push(), pushEveryMs)
    return () => clearInterval(timer)
  },
  views: {
    ops: async (_ctx, actor) => (actor.role === 'dealer' ? undefined : opsRoom),
  },
}
