import type { PostChange, PostEvents } from '#shared/events/posts.ts'
import { isId } from '#server/platform/ids.ts'
import type { LiveFeature, LiveServer } from '#server/realtime/live-server.ts'
import { feedRoom, lotRoom, postRoom } from '#server/realtime/rooms.ts'
import { findFeedHead, findPost, listVersions } from './posts.repository.ts'

const everyMs = 2_000
const newPostsCap = 99

type Head = Omit<Parameters<PostEvents['feed.head']>[0], 'jitterMs'>

/** Announces new posts and newly offered vehicles immediately, then at most every two seconds. */
function createHeadNotice(emit: (head: Head) => void) {
  let waiting = 0
  let newestId: string | null = null
  let isOffered = false
  let quiet: NodeJS.Timeout | undefined
  const flush = () => {
    quiet = undefined
    if (waiting === 0 && !isOffered) return
    emit({ newestId, newPosts: Math.min(waiting, newPostsCap) })
    waiting = 0
    newestId = null
    isOffered = false
    quiet = setTimeout(flush, everyMs)
    quiet.unref()
  }
  return {
    posted(postId: string) {
      waiting += 1
      newestId = postId
      if (quiet === undefined) flush()
    },
    offered() {
      isOffered = true
      if (quiet === undefined) flush()
    },
  }
}

/** Merges two consecutive changes. Keeps the newer one, because it contains all current values. */
function mergeChanges(held: PostChange, next: PostChange): PostChange | undefined {
  const follows = (next.since ?? next.version - 1) === held.version && next.partial === held.partial
  return follows ? { ...next, since: held.since ?? held.version - 1 } : undefined
}

const jitterMaxMs = 3_000

/** Returns the maximum random delay before clients refetch: one millisecond per reader on this node. */
function feedJitterMs(io: LiveServer): number {
  return Math.min(io.sockets.adapter.rooms.get(feedRoom)?.size ?? 0, jitterMaxMs)
}

export const postsLive: LiveFeature = {
  publish(ctx, io) {
    ctx.bus.on('post.changed', (state) => void io.to(postRoom(state.postId)).emit('post.changed', state))
    ctx.bus.on('post.edited', (event) => void io.to(postRoom(event.postId)).emit('post.edited', event))
    ctx.bus.on(
      'post.removed',
      ({ postId }) => void io.to([postRoom(postId), lotRoom(postId), feedRoom]).emit('post.removed', { postId }),
    )
    const notice = createHeadNotice(
      (head) => void io.to(feedRoom).emit('feed.head', { ...head, jitterMs: feedJitterMs(io) }),
    )
    ctx.bus.on('post.created', ({ postId }) => notice.posted(postId))
    ctx.bus.on('find.offered', () => notice.offered())
  },
  merges: {
    'post.changed': mergeChanges,
    'post.edited': (held, next) => (next.version >= held.version ? next : held),
    'post.viewers': (_held, next) => next,
  },
  views: {
    post: async (ctx, actor, id) => {
      if (!isId(id)) return undefined
      return (await findPost(ctx.db, id, actor.dealerId)) === undefined ? undefined : postRoom(id)
    },
  },
  heads: async ({ db }) => ({ feedHead: await findFeedHead(db) }),
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
