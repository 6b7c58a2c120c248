import { createHash } from 'node:crypto'
import type { Heads } from '#shared/schemas/messaging.ts'
import { chatHeads } from '#server/features/chats/chats.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Actor } from '#server/platform/session.ts'
import { findFeedHead } from './heads.repository.ts'

/** A poll comes every half minute: an answer one second old costs it nothing and saves the database the herd. */
const cacheMs = 1_000
const cacheMax = 20_000

type Numbers = Omit<Heads, 'serverTime'>

/** The caller's numbers with an ETag over them; the clock is not part of it. */
export function createHeads(ctx: Context) {
  const cache = new Map<string, { until: number; answer: Promise<{ etag: string; numbers: Numbers }> }>()
  const load = async (dealerId: string) => {
    const [{ dealerRev, chats }, feedHead] = await Promise.all([chatHeads(ctx, dealerId), findFeedHead(ctx.db)])
    const numbers = { dealerRev, chats, feedHead }
    return { etag: `"${createHash('sha1').update(JSON.stringify(numbers)).digest('base64url')}"`, numbers }
  }
  return async (actor: Actor) => {
    const now = Date.now()
    const known = cache.get(actor.dealerId)
    if (known !== undefined && known.until > now) return known.answer
    if (cache.size >= cacheMax) cache.clear()
    const answer = load(actor.dealerId)
    cache.set(actor.dealerId, { until: now + cacheMs, answer })
    answer.catch(() => cache.delete(actor.dealerId))
    return answer
  }
}
