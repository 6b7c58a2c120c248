import type { LiveFeature } from '#server/realtime/live-server.ts'
import { postRoom } from '#server/realtime/rooms.ts'

export const commentsLive: LiveFeature = {
  publish(ctx, io) {
    ctx.bus.on('comment.added', (event) => void io.to(postRoom(event.postId)).emit('post.comment', event))
  },
}
