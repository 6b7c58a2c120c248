import type { Context } from '#server/platform/process/context.ts'
import { insertImpressions, insertViews } from './posts.repository.ts'

const flushEveryMs = 5_000
/** Limits the views of each kind kept while the database is down. Further views are not counted. */
export const waitingMax = 50_000

export interface ViewCounter {
  /** Call it when the dealer opens the post's page, gallery, comments or auction. */
  count(postId: string, dealerId: string): void
  countShown(postId: string, dealerId: string): void
  flush(): Promise<void>
  stop(): Promise<void>
}

interface Seen {
  postId: string
  dealerId: string
}

/** Counts views immediately. Opening a post also counts as seeing its card. */
export async function countOpened(ctx: Context, seen: Seen[]): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    await insertImpressions(tx, seen)
    for (const state of await insertViews(tx, seen)) emit('post.changed', state)
  })
}

/** Collects views in memory, one per dealer and post, and writes them in batches. Retries failed batches. */
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

/** Counts the dealers per post and day who opened the post, and those who saw its card, in batches instead of per view. */
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
