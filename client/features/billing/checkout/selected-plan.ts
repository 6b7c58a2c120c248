import { isText } from '#client/lib/guards.ts'
import { defineStored } from '#client/lib/storage.ts'

/** Where the chosen plan waits on the way to /payment: under its dealer, and without a name while a visitor has chosen. */
const stored = defineStored<string>({
  key: 'selectedPlan',
  version: 'plain',
  isValue: (value): value is string => isText(value) && /^[\w-]{1,100}$/.test(value),
})

/** What the dealer has chosen, also as a visitor just before: that becomes theirs, and is nobody else's from then on. */
export function readSelectedPlan(dealerId: string): string | null {
  const visited = stored.read()
  if (visited !== undefined) storeSelectedPlan(visited, dealerId)
  return stored.read(dealerId) ?? visited ?? null
}

/** A visitor has no `dealerId` yet. */
export function storeSelectedPlan(planId: string, dealerId?: string): void {
  stored.write(planId, dealerId)
  if (dealerId !== undefined) stored.write(undefined)
}

export function clearSelectedPlan(dealerId: string): void {
  stored.write(undefined, dealerId)
  stored.write(undefined)
}
