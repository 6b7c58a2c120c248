import { LRUCache } from 'lru-cache'
import type { AuctionState } from '#shared/schemas/auctions.ts'
import type { Context } from '#server/platform/context.ts'
import type { AuctionDomainEvents } from './auctions.events.ts'

type Decided = AuctionDomainEvents['auction.decided']

interface Delays {
  waiting: Map<string, Decided[]>
  told: LRUCache<string, number>
  lately: { at: number; ms: number }[]
}

const lastingMs = 5 * 60_000
const delaysMax = 1_000
const auctionsMax = 1_000

const byProcess = new WeakMap<Context, Delays>()

function delaysOf(ctx: Context): Delays {
  const known = byProcess.get(ctx)
  if (known !== undefined) return known
  const delays: Delays = { waiting: new Map(), told: new LRUCache({ max: auctionsMax }), lately: [] }
  byProcess.set(ctx, delays)
  return delays
}

/** Records an accepted bid until it is sent to watchers, unless a newer state was already sent. */
export function noteDecided(ctx: Context, decided: Decided): void {
  const { waiting, told } = delaysOf(ctx)
  const { postId, seq } = decided
  if (seq > (told.get(postId) ?? 0)) waiting.set(postId, [...(waiting.get(postId) ?? []), decided])
}

export function noteTold(ctx: Context, postId: string, state: AuctionState | null): void {
  const { waiting, told, lately } = delaysOf(ctx)
  const held = waiting.get(postId) ?? []
  waiting.delete(postId)
  if (state === null) return
  told.set(postId, state.seq)
  const left = held.filter(({ seq }) => seq > state.seq)
  if (left.length > 0) waiting.set(postId, left)
  const at = ctx.now().getTime()
  // Both times come from the database, so differences between clocks do not matter.
  for (const { seq, decidedAt } of held)
    if (seq <= state.seq) lately.push({ at, ms: Date.parse(state.serverNow) - decidedAt.getTime() })
  lately.splice(0, lately.length - delaysMax)
}

/** 99th percentile in milliseconds between a bid's decision and the read for watchers; null without recent bids. */
export function bidDelayP99(ctx: Context): number | null {
  const from = ctx.now().getTime() - lastingMs
  const sorted = delaysOf(ctx)
    .lately.filter(({ at }) => at >= from)
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * 0.99)] ?? null
}
