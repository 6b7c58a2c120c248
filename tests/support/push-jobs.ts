import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Caller, TestApp } from './app.ts'
import type { TestBrowser } from './push-service.ts'
import { until } from './wait.ts'

export const comment = (caller: Caller, postId: string, content = 'Any rust?') =>
  caller.post(`/api/inventory/${postId}/comments`, { content })

export async function openChat(one: Caller, other: Caller) {
  const { body } = await one.post<{ id: string }>('/api/chats', { dealerId: other.id })
  const write = (content: string) =>
    one.post('/api/messages', { chatId: body.id, content }, { 'idempotency-key': randomUUID() })
  return { chatId: body.id, write }
}

export const activeNow = async (caller: Caller) => {
  const tab = await caller.live()
  if (!(await tab.active()).ok) throw new Error('the command was refused')
}

export const untilReceived = ({ received }: TestBrowser, count = 1) =>
  until(`${count} pushes`, () => received.length >= count)

/** The time in PostgreSQL while it reads the rows. A time taken before the query would make a job that is due at once look delayed. */
const now = sql<Date>`clock_timestamp()`

export function pushJobsOf({ server: { ctx } }: TestApp) {
  /** Makes delayed push jobs due now. Returns how many jobs were delayed. */
  const skipWaits = async (): Promise<number> => {
    const result = await ctx.db
      .updateTable('outbox')
      .set({ runAt: now })
      .where('name', 'like', 'push.%')
      .where('runAt', '>', now)
      .executeTakeFirst()
    return Number(result.numUpdatedRows)
  }
  const left = async () => ctx.db.selectFrom('outbox').select('name').where('name', 'like', 'push.%').execute()
  return {
    skipWaits,
    left,
    untilIdle: () => until('all push jobs to end', async () => (await left()).length === 0),
    /** Waits until the push of a message is queued, then starts it. */
    pushMessage: () => until('the push of a message', async () => (await skipWaits()) > 0),
    /** Waits until a failed delivery is queued again, and returns when it is due. */
    nextTry: () =>
      until('the next try to be queued', async () => {
        const deliveries = ctx.db.selectFrom('outbox').select('runAt').where('name', '=', 'push.deliver')
        return (await deliveries.where('runAt', '>', now).executeTakeFirst())?.runAt
      }),
    /** True if a push is delayed because its dealer is active. */
    waiting: async (): Promise<boolean> => {
      const row = await ctx.db
        .selectFrom('outbox')
        .select('payload')
        .where('name', 'in', ['push.notice', 'push.chat'])
        .where('runAt', '>', new Date(Date.now() + 30_000))
        .executeTakeFirst()
      return (row?.payload as { late?: boolean } | undefined)?.late === true
    },
    /** Ends the minute during which the dealer counts as active. */
    forgetActive: ({ id }: Caller) => ctx.redis.commands.del(`${ctx.config.redisPrefix}:active:${id}`),
  }
}
