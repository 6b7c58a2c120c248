import type { SheetSeen } from '#shared/schemas/posts.ts'

const lossMax = 0.3

interface Counts {
  vehicles: number
  prices: number
}

/**
 * True if a reading has to wait for its owner's yes: over 30 % fewer vehicles are for sale than before, or over 30 % fewer have a price. The
 * first reading is compared with what its owner has seen in the preview; without a preview it always waits. A first reading by a call that
 * says nothing about a preview is published, as documented.
 */
export const losesMuch = ({ before, after }: { before: Counts; after: Counts }, seen: SheetSeen | undefined): boolean =>
  seen === undefined ? isMuchLess(before, after) : seen.vehicles === 0 || isMuchLess(seen, after)

const isMuchLess = (before: Counts, after: Counts): boolean =>
  before.vehicles - after.vehicles > before.vehicles * lossMax || before.prices - after.prices > before.prices * lossMax
