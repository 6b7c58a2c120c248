import { useSyncExternalStore } from 'react'
import type { PlanRefusal } from '#shared/plan-refusal.ts'
import { ApiError } from './api.ts'

/** What the plan does not allow, in the server's sentence, and what would lift it. */
export interface PlanNeed extends PlanRefusal {
  reason: string
}

let need: PlanNeed | undefined
const listeners = new Set<() => void>()

function set(next: PlanNeed | undefined) {
  need = next
  for (const listener of listeners) listener()
}

/** Takes note of a refusal that a plan would lift; every other failure is the caller's to tell. */
export function notePlanRefusal(error: Error): void {
  if (!(error instanceof ApiError) || error.status !== 402) return
  const details = error.details as PlanRefusal | undefined
  if (details?.plan !== undefined) set({ ...details, reason: error.reason })
}

export function forgetPlanRefusal(): void {
  set(undefined)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function usePlanNeed(): PlanNeed | undefined {
  return useSyncExternalStore(subscribe, () => need)
}
