import type { LiveFeature } from '#server/realtime/live-server.ts'
import { postRoom } from '#server/realtime/rooms.ts'

export const commentsLive: LiveFeature = {
  publish(ctx, io) {
    for (const name of ['comment.added', 'comment.changed'] as const)
      ctx.bus.on(name, (event) => void io.to(postRoom(event.postId)).emit('post.comment', event))
  },
}
