import { isText } from '#client/lib/http/type-guards.ts'
import { defineStored } from '#client/lib/storage/browser-storage.ts'

/** The plan chosen on the way to /payment, stored per dealer. A visitor's plan is stored without a dealer id. */
const stored = defineStored<string>({
  key: 'selectedPlan',
  version: 'plain',
  isValue: (value): value is string => isText(value) && /^[\w-]{1,100}$/.test(value),
})

/** Returns the dealer's selected plan. Assigns a plan that was selected before sign-in to the dealer. */
export function readSelectedPlan(dealerId: string): string | null {
  const visited = stored.read()
  if (visited !== undefined) storeSelectedPlan(visited, dealerId)
  return stored.read(dealerId) ?? visited ?? null
}

/** Stores the selected plan. Omit `dealerId` for a visitor who is signed out. */
export function storeSelectedPlan(planId: string, dealerId?: string): void {
  stored.write(planId, dealerId)
  if (dealerId !== undefined) stored.write(undefined)
}

export function clearSelectedPlan(dealerId: string): void {
  stored.write(undefined, dealerId)
  stored.write(undefined)
}
