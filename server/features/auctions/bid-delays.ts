import { LRUCache } from 'lru-cache'
import type { AuctionState } from '#shared/schemas/auctions.ts'
import type { Context } from '#server/platform/context.ts'
import type { AuctionDomainEvents } from './auctions.events.ts'

type Decided = AuctionDomainEvents['auction.decided']

interface Delays {
  /** Bids by auction whose watchers have not been told. */
  waiting: Map<string, Decided[]>
  /** The number of the state that an auction's watchers were told last. */
  told: LRUCache<string, number>
  /** The last that were told, by this process' clock. */
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

/** Bids were taken here: they wait to be told, unless a state that was read meanwhile has told them. */
export function noteDecided(ctx: Context, decided: Decided): void {
  const { waiting, told } = delaysOf(ctx)
  const { postId, seq } = decided
  if (seq > (told.get(postId) ?? 0)) waiting.set(postId, [...(waiting.get(postId) ?? []), decided])
}

/** What its watchers are told, or null where there is nothing to tell them any more. */
export function noteTold(ctx: Context, postId: string, state: AuctionState | null): void {
  const { waiting, told, lately } = delaysOf(ctx)
  const held = waiting.get(postId) ?? []
  waiting.delete(postId)
  if (state === null) return
  told.set(postId, state.seq)
  const left = held.filter(({ seq }) => seq > state.seq)
  if (left.length > 0) waiting.set(postId, left)
  const at = ctx.now().getTime()
  // Both moments are the database's: a clock of another machine plays no part.
  for (const { seq, decidedAt } of held)
    if (seq <= state.seq) lately.push({ at, ms: Date.parse(state.serverNow) - decidedAt.getTime() })
  lately.splice(0, lately.length - delaysMax)
}

/** In milliseconds, from a bid's decision until what its watchers are told was read; null where nobody has bid lately. */
export function bidDelayP99(ctx: Context): number | null {
  const from = ctx.now().getTime() - lastingMs
  const sorted = delaysOf(ctx)
    .lately.filter(({ at }) => at >= from)
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * 0.99)] ?? null
}
