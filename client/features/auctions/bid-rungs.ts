import { bidIncrements } from '#shared/limits.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import { formatMoney } from '#client/ui/format.ts'

/** One button: what it adds, and what it comes to. Dollars. */
export interface Rung {
  label: string
  total: number
}

/** What the buttons do: a bid, or for the leader a higher maximum of their own. */
export const kindFor = (auction: Auction): 'bid' | 'max' =>
  auction.leader !== null && auction.leader === auction.you.number ? 'max' : 'bid'

/**
 * +$500, +$1,000 and +$2,500 on the price, on one's own maximum while leading. Before the first bid there is
 * the start itself as well. Smallest first.
 */
export function rungsOf(auction: Auction): Rung[] {
  const base =
    kindFor(auction) === 'max'
      ? Math.max(auction.amount ?? 0, auction.you.maximum ?? 0)
      : (auction.amount ?? auction.startAmount)
  const steps = bidIncrements.map((step) => ({ label: `+${formatMoney(step)}`, total: base + step }))
  return auction.amount === null ? [{ label: 'Start', total: base }, ...steps] : steps
}
