import type { PlanRefusal } from '#shared/plan-refusal.ts'
import { ApiError } from './api.ts'
import { defineSlice } from './slice.ts'

/** What the plan does not allow, in the server's sentence, and what would lift it. */
export interface PlanNeed extends PlanRefusal {
  reason: string
}

/** The frame of the app shows the dialog, whichever call was refused. */
const planRefusal = defineSlice<{ need: PlanNeed | undefined }>('plan-refusal', () => ({ need: undefined }))

/** Takes note of a refusal that a plan would lift; every other failure is the caller's to tell. */
export function notePlanRefusal(error: Error): void {
  if (!(error instanceof ApiError) || error.status !== 402) return
  const details = error.details as PlanRefusal | undefined
  if (details?.plan !== undefined) planRefusal.set((state) => void (state.need = { ...details, reason: error.reason }))
}

export const forgetPlanRefusal = (): void => planRefusal.set((state) => void (state.need = undefined))

export const usePlanNeed = (): PlanNeed | undefined => planRefusal.use((state) => state.need)
