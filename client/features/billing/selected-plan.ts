/** Where the chosen plan waits on the way to /payment (spec B §2 "Checkout"). */
const storageKey = 'selectedPlan'

export function readSelectedPlan(): string | null {
  return localStorage.getItem(storageKey)
}

export function storeSelectedPlan(planId: string): void {
  localStorage.setItem(storageKey, planId)
}

export function clearSelectedPlan(): void {
  localStorage.removeItem(storageKey)
}
