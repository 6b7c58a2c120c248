import type { SheetSeen } from '#shared/schemas/posts.ts'

const lossMax = 0.3

interface Counts {
  vehicles: number
  prices: number
  vins?: number | undefined
}

/**
 * True if an import needs its owner's approval: over 30% fewer vehicles are for sale than before, or over 30% fewer have a price or a VIN.
 * The first import is compared with the preview that its owner saw, and needs approval if its vehicles differ. If `seen` has no vehicles,
 * the owner saw no preview, so the import needs approval. If the post was created without `seen`, its first import is published without
 * approval, as documented.
 */
export function needsApproval(
  { before, after }: { before: Counts; after: Counts },
  seen: SheetSeen | undefined,
  vehiclesKey: string,
): boolean {
  if (seen === undefined) return isMuchLess(before, after)
  return seen.vehicles === 0 || isOtherThanSeen(seen, vehiclesKey) || isMuchLess(seen, after)
}

/** True if the owner saw a preview with different vehicles. */
export const isOtherThanSeen = (seen: SheetSeen | undefined, vehiclesKey: string): boolean =>
  seen?.vehiclesKey !== undefined && seen.vehiclesKey !== vehiclesKey

const isMuchLess = (before: Counts, after: Counts): boolean =>
  (['vehicles', 'prices', 'vins'] as const).some((kind) => {
    const { [kind]: had = 0 } = before
    const { [kind]: has = had } = after
    return had - has > had * lossMax
  })
