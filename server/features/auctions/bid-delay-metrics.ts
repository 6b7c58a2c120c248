import { LRUCache } from 'lru-cache'
import type { AuctionState } from '#shared/schemas/auctions.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { AuctionDomainEvents } from './auctions.events.ts'

type Decided = AuctionDomainEvents['auction.decided']

interface Delays {
  waiting: Map<string, Decided[]>
  sent: LRUCache<string, number>
  recent: { at: number; ms: number }[]
}

const windowMs = 5 * 60_000
const delaysMax = 1_000
const auctionsMax = 1_000

const byProcess = new WeakMap<Context, Delays>()

function delaysOf(ctx: Context): Delays {
  const known = byProcess.get(ctx)
  if (known !== undefined) return known
  const delays: Delays = { waiting: new Map(), sent: new LRUCache({ max: auctionsMax }), recent: [] }
  byProcess.set(ctx, delays)
  return delays
}

/** Remembers an accepted bid until it is sent to watchers. Ignores the bid if a newer state was already sent. */
export function recordDecided(ctx: Context, decided: Decided): void {
  const { waiting, sent } = delaysOf(ctx)
  const { postId, seq } = decided
  if (seq > (sent.get(postId) ?? 0)) waiting.set(postId, [...(waiting.get(postId) ?? []), decided])
}

export function recordSent(ctx: Context, postId: string, state: AuctionState | null): void {
  const { waiting, sent, recent } = delaysOf(ctx)
  const pending = waiting.get(postId) ?? []
  waiting.delete(postId)
  if (state === null) return
  sent.set(postId, state.seq)
  const remaining = pending.filter(({ seq }) => seq > state.seq)
  if (remaining.length > 0) waiting.set(postId, remaining)
  const at = ctx.now().getTime()
  // Both times come from the database, so differences between clocks do not matter.
  for (const { seq, decidedAt } of pending)
    if (seq <= state.seq) recent.push({ at, ms: Date.parse(state.serverNow) - decidedAt.getTime() })
  recent.splice(0, recent.length - delaysMax)
}

/** 99th percentile of the milliseconds from a bid's decision to the read of its state for watchers. Null without recent bids. */
export function bidDelayP99(ctx: Context): number | null {
  const from = ctx.now().getTime() - windowMs
  const sorted = delaysOf(ctx)
    .recent.filter(({ at }) => at >= from)
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * 0.99)] ?? null
}
