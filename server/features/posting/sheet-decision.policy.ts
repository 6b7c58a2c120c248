import type { SheetSeen } from '#shared/schemas/posts.ts'

const lossMax = 0.3

interface Counts {
  vehicles: number
  prices: number
  vins?: number | undefined
}

/**
 * True if the owner must approve the import because the post would lose over 30% of its vehicles, prices or VINs.
 * The first import is compared with the preview that the owner saw (`seen`). It also needs approval if its vehicles differ from the
 * preview, or if the preview showed no vehicles. A post created without `seen` needs no approval for its first import.
 */
export function needsApproval(
  { before, after }: { before: Counts; after: Counts },
  seen: SheetSeen | undefined,
  vehiclesKey: string,
): boolean {
  if (seen === undefined) return isMuchLess(before, after)
  return seen.vehicles === 0 || isOtherThanSeen(seen, vehiclesKey) || isMuchLess(seen, after)
}

export const isOtherThanSeen = (seen: SheetSeen | undefined, vehiclesKey: string): boolean =>
  seen?.vehiclesKey !== undefined && seen.vehiclesKey !== vehiclesKey

const isMuchLess = (before: Counts, after: Counts): boolean =>
  (['vehicles', 'prices', 'vins'] as const).some((kind) => {
    const { [kind]: had = 0 } = before
    const { [kind]: has = had } = after
    return had - has > had * lossMax
  })
