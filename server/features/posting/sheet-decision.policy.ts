import type { SheetSeen } from '#shared/schemas/posts.ts'

const lossMax = 0.3

interface Counts {
  vehicles: number
  prices: number
  vins?: number | undefined
}

/**
 * True if an import needs its owner's approval: over 30 % fewer vehicles are for sale than before, or over 30 % fewer have a price or
 * a VIN.
 * The first import is compared with the preview that its owner saw. If `seen` has no vehicles, the owner saw no preview, and the import
 * needs approval. If a new post was created without `seen`, its first import is published without approval, as documented.
 */
export const losesMuch = ({ before, after }: { before: Counts; after: Counts }, seen: SheetSeen | undefined): boolean =>
  seen === undefined ? isMuchLess(before, after) : seen.vehicles === 0 || isMuchLess(seen, after)

const isMuchLess = (before: Counts, after: Counts): boolean =>
  (['vehicles', 'prices', 'vins'] as const).some((kind) => {
    const { [kind]: had = 0 } = before
    const { [kind]: has = had } = after
    return had - has > had * lossMax
  })
