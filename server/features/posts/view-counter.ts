import type { Context } from '#server/platform/context.ts'
import { insertImpressions, insertViews } from './posts.repository.ts'

const flushEveryMs = 5_000
/** While the database is away no more than so many wait, of each kind; the others are not counted. */
export const waitingMax = 50_000

export interface ViewCounter {
  /** The dealer opened the post: its page, its gallery, its comments or its auction. */
  count(postId: string, dealerId: string): void
  /** The post's card was on the dealer's screen. */
  countShown(postId: string, dealerId: string): void
  flush(): Promise<void>
  stop(): Promise<void>
}

interface Seen {
  postId: string
  dealerId: string
}

/** The same without waiting for others; who opened a post had its card on screen before. */
export async function countOpened(ctx: Context, seen: Seen[]): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    await insertImpressions(tx, seen)
    for (const state of await insertViews(tx, seen)) emit('post.changed', state)
  })
}

/** Gathered in memory, each dealer once a post, and written together; what could not be written waits, as far as there is room. */
function gather(write: (seen: Seen[]) => Promise<void>, failed: (error: unknown) => void) {
  let waiting = new Map<string, Seen>()
  const add = (seen: Seen) => {
    if (waiting.size < waitingMax) waiting.set(`${seen.postId}:${seen.dealerId}`, seen)
  }
  const flush = async () => {
    if (waiting.size === 0) return
    const seen = [...waiting.values()]
    waiting = new Map()
    await write(seen).catch((error: unknown) => {
      failed(error)
      for (const each of seen) add(each)
    })
  }
  return { add, flush }
}

/** Unique dealers per post per day, those who opened it and those who saw its card: never one row update per view. */
export function createViewCounter(ctx: Context): ViewCounter {
  const failed = (error: unknown) => ctx.log.warn({ err: error }, 'views wait for the database')
  const views = gather(
    (seen) =>
      ctx.transact(async (tx, emit) => {
        for (const state of await insertViews(tx, seen)) emit('post.changed', state)
      }),
    failed,
  )
  const impressions = gather((seen) => ctx.transact((tx) => insertImpressions(tx, seen)), failed)
  const flush = async () => {
    await views.flush()
    await impressions.flush()
  }
  const timer = setInterval(() => void flush(), flushEveryMs)
  return {
    count: (postId, dealerId) => views.add({ postId, dealerId }),
    countShown: (postId, dealerId) => impressions.add({ postId, dealerId }),
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
