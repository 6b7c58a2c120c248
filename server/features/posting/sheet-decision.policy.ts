import type { SheetSeen } from '#shared/schemas/posts.ts'

const lossMax = 0.3

interface Counts {
  vehicles: number
  prices: number
}

/**
 * True if a reading has to wait for its owner's yes: it loses over 30 % of the vehicles for sale or of their prices. The first reading is
 * compared with what its owner has seen in the preview; without a preview it always waits. A first reading by a call that says nothing
 * about a preview is published, as documented.
 */
export function losesMuch(
  { found, priced }: { found: number; priced: number },
  { before, lost }: { before: Counts; lost: Counts },
  seen: SheetSeen | undefined,
): boolean {
  if (seen === undefined) return isMuch(lost.vehicles, before.vehicles) || isMuch(lost.prices, before.prices)
  return (
    seen.vehicles === 0 || isMuch(seen.vehicles - found, seen.vehicles) || isMuch(seen.prices - priced, seen.prices)
  )
}

const isMuch = (lost: number, before: number): boolean => before > 0 && lost > before * lossMax
