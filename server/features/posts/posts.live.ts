import { isId } from '#server/platform/ids.ts'
import type { LiveFeature, LiveServer } from '#server/realtime/live-server.ts'
import { feedRoom, postRoom } from '#server/realtime/rooms.ts'
import { createHeadNotice } from './feed-head.ts'
import { findPost, listVersions } from './posts.repository.ts'

const jitterMaxMs = 3_000

/** A millisecond per reader on this node: a few hear news at once, thousands ask over three seconds. */
function feedJitterMs(io: LiveServer): number {
  return Math.min(io.sockets.adapter.rooms.get(feedRoom)?.size ?? 0, jitterMaxMs)
}

export const postsLive: LiveFeature = {
  publish(ctx, io) {
    ctx.bus.on('post.changed', (state) => void io.to(postRoom(state.postId)).emit('post.changed', state))
    ctx.bus.on('post.edited', (event) => void io.to(postRoom(event.postId)).emit('post.edited', event))
    ctx.bus.on(
      'post.removed',
      ({ postId }) => void io.to([postRoom(postId), feedRoom]).emit('post.removed', { postId }),
    )
    const notice = createHeadNotice(
      (head) => void io.to(feedRoom).emit('feed.head', { ...head, jitterMs: feedJitterMs(io) }),
    )
    ctx.bus.on('post.created', ({ postId }) => notice(postId))
  },
  views: {
    post: async (ctx, actor, id) => {
      if (!isId(id)) return undefined
      return (await findPost(ctx.db, id, actor.dealerId)) === undefined ? undefined : postRoom(id)
    },
  },
  async sync(ctx, _actor, { posts }) {
    if (posts === undefined || Object.keys(posts).length === 0) return {}
    const found = await listVersions(ctx.db, Object.keys(posts))
    const versions = new Map(found.map(({ id, version }) => [id, version]))
    const stale = Object.keys(posts)
      .map((id) => [id, versions.get(id) ?? 0] as const)
      .filter(([id, version]) => posts[id] !== version)
    return stale.length === 0 ? {} : { posts: Object.fromEntries(stale) }
  },
}
