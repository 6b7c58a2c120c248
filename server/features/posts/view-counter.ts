import { sql } from 'kysely'
import type { Context } from '#server/platform/context.ts'
import type { Tx } from '#server/platform/db.ts'
import { stateColumns, toPostState } from './posts.rows.ts'

const flushEveryMs = 5_000

export interface ViewCounter {
  count(postId: string, dealerId: string): void
  flush(): Promise<void>
  stop(): Promise<void>
}

async function writeViews(tx: Tx, views: { postId: string; dealerId: string }[]) {
  const { rows } = await sql<{ postId: string; added: number }>`
    with seen as (
      insert into post_views (post_id, dealer_id)
      select v.post_id, v.dealer_id
      from unnest(${views.map((view) => view.postId)}::uuid[], ${views.map((view) => view.dealerId)}::uuid[]) as v(post_id, dealer_id)
      where exists (select 1 from posts where posts.id = v.post_id)
      on conflict do nothing returning post_id
    ) select post_id, count(*)::int as added from seen group by post_id order by post_id`.execute(tx)
  const states = []
  for (const { postId, added } of rows) {
    const row = await tx
      .updateTable('posts')
      .set({ viewCount: sql<number>`view_count + ${added}`, version: sql<number>`version + 1` })
      .where('id', '=', postId)
      .returning(stateColumns)
      .executeTakeFirstOrThrow()
    states.push(toPostState(row))
  }
  return states
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
        for (const state of await writeViews(tx, views)) emit('post.changed', state)
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
