import type { Context } from '#server/platform/context.ts'
import { insertViews } from './posts.repository.ts'

const flushEveryMs = 5_000

export interface ViewCounter {
  count(postId: string, dealerId: string): void
  flush(): Promise<void>
  stop(): Promise<void>
}

/** Unique dealers per post per day, gathered in memory and written together: never one row update per view. */
export function createViewCounter(ctx: Context): ViewCounter {
  let waiting = new Map<string, { postId: string; dealerId: string }>()
  const flush = async () => {
    if (waiting.size === 0) return
    const views = [...waiting.values()]
    waiting = new Map()
    try {
      await ctx.transact(async (tx, emit) => {
        for (const state of await insertViews(tx, views)) emit('post.changed', state)
      })
    } catch (error) {
      ctx.log.warn({ err: error }, 'views wait for the database')
      for (const view of views) waiting.set(`${view.postId}:${view.dealerId}`, view)
    }
  }
  const timer = setInterval(() => void flush(), flushEveryMs)
  return {
    count: (postId, dealerId) => waiting.set(`${postId}:${dealerId}`, { postId, dealerId }),
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
