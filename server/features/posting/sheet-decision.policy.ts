import type { SheetSeen } from '#shared/schemas/posts.ts'

const lossMax = 0.3

interface Counts {
  vehicles: number
  prices: number
}

/**
 * True if an import needs its owner's approval: over 30 % fewer vehicles are for sale than before, or over 30 % fewer have a price.
 * The first import is compared with the preview that its owner saw. If `seen` has no vehicles, the owner saw no preview, and the import
 * needs approval. If a new post was created without `seen`, its first import is published without approval, as documented.
 */
export const losesMuch = ({ before, after }: { before: Counts; after: Counts }, seen: SheetSeen | undefined): boolean =>
  seen === undefined ? isMuchLess(before, after) : seen.vehicles === 0 || isMuchLess(seen, after)

const isMuchLess = (before: Counts, after: Counts): boolean =>
  before.vehicles - after.vehicles > before.vehicles * lossMax || before.prices - after.prices > before.prices * lossMax
