import type { PlanRefusal } from '#shared/plan-refusal.ts'
import { ApiError } from '../http/api.ts'
import { defineSlice } from '../storage/store-slice.ts'

/** A request that the server rejected because the dealer's plan does not allow it. */
export interface PlanNeed extends PlanRefusal {
  reason: string
}

/** The content of the upgrade dialog. */
export interface UpgradePrompt extends PlanNeed {
  /** True if the form keeps its input while the dealer chooses a plan. */
  isInputKept: boolean
}

const planRefusal = defineSlice<{ need: UpgradePrompt | undefined }>('plan-refusal', () => ({ need: undefined }))

export function planNeedOf(error: unknown): PlanNeed | undefined {
  if (!(error instanceof ApiError) || error.status !== 402) return undefined
  const details = error.details as PlanRefusal | undefined
  return details?.plan === undefined ? undefined : { ...details, reason: error.reason }
}

export const choosePlan = { path: '/subscribe', label: 'Choose a plan' } as const

export function remedyFor({ plan, planName, connectionLimit }: PlanNeed): {
  title: string
  path: string
  label: string
} {
  if (plan === 'subscribe') return { title: 'This needs a plan', ...choosePlan }
  if (plan === 'pay') return { title: 'Your plan is unpaid', path: '/plan-management', label: 'Go to your plan' }
  const title = connectionLimit === undefined ? `This needs the ${planName}` : "You've reached your plan's limit"
  return { title, path: '/plan-management', label: 'Compare plans' }
}

/** Stores the error if a different plan would resolve it. Callers report all other errors themselves. */
export function notePlanRefusal(error: Error, isInputKept = false): void {
  const need = planNeedOf(error)
  if (need) planRefusal.set((state) => void (state.need = { ...need, isInputKept }))
}

export const forgetPlanRefusal = (): void => planRefusal.set((state) => void (state.need = undefined))

export const usePlanNeed = (): UpgradePrompt | undefined => planRefusal.use((state) => state.need)
