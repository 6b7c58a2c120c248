import type { PlanRefusal } from '#shared/plan-refusal.ts'
import { ApiError } from './api.ts'
import { defineSlice } from './slice.ts'

/** What the plan does not allow, in the server's sentence, and what would lift it. */
export interface PlanNeed extends PlanRefusal {
  reason: string
}

/** The frame of the app shows the dialog, whichever call was refused. */
const planRefusal = defineSlice<{ need: PlanNeed | undefined }>('plan-refusal', () => ({ need: undefined }))

/** What a plan would lift of this refusal; undefined for every other failure. */
export function planNeedOf(error: unknown): PlanNeed | undefined {
  if (!(error instanceof ApiError) || error.status !== 402) return undefined
  const details = error.details as PlanRefusal | undefined
  return details?.plan === undefined ? undefined : { ...details, reason: error.reason }
}

/** Where a plan is chosen, and an open invoice paid. */
export const choosePlan = { path: '/subscribe', label: 'Choose a plan' } as const

/** How the refusal is said, and where it is lifted. */
export function wayOut({ plan, planName, connectionLimit }: PlanNeed): { title: string; path: string; label: string } {
  if (plan === 'subscribe') return { title: 'This needs a plan', ...choosePlan }
  if (plan === 'pay') return { title: 'Your plan is not paid', path: '/plan-management', label: 'Go to your plan' }
  const title = connectionLimit === undefined ? `This needs the ${planName}` : 'Your plan is full'
  return { title, path: '/plan-management', label: 'Compare plans' }
}

/** Takes note of a refusal that a plan would lift; every other failure is the caller's to tell. */
export function notePlanRefusal(error: Error): void {
  const need = planNeedOf(error)
  if (need) planRefusal.set((state) => void (state.need = need))
}

export const forgetPlanRefusal = (): void => planRefusal.set((state) => void (state.need = undefined))

export const usePlanNeed = (): PlanNeed | undefined => planRefusal.use((state) => state.need)
