import type { AuctionState } from '#shared/schemas/auctions.ts'
import type { Context } from '#server/platform/context.ts'

/** How long the last bids took until their watchers were told, by process. */
const delays = new WeakMap<Context, { at: number; ms: number }[]>()
const delaysMax = 1_000
const delaysForMs = 5 * 60_000

/** @param state as it goes out: where a bid is its last change, its delay is counted */
export function noteDelay(ctx: Context, { seq, bids: [last], serverNow }: AuctionState): void {
  if (last?.seq !== seq) return
  const known = delays.get(ctx) ?? []
  delays.set(ctx, known)
  const at = Date.parse(serverNow)
  known.push({ at, ms: at - Date.parse(last.at) })
  if (known.length > delaysMax) known.shift()
}

/** In milliseconds; null where nobody has bid lately. */
export function bidDelayP99(ctx: Context): number | null {
  const from = ctx.now().getTime() - delaysForMs
  const lately = (delays.get(ctx) ?? []).filter(({ at }) => at >= from).map(({ ms }) => ms)
  const sorted = lately.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * 0.99)] ?? null
}
