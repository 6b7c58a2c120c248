import { isText } from '#client/lib/guards.ts'
import { defineStored } from '#client/lib/storage.ts'

/** Where the chosen plan waits on the way to /payment. */
const stored = defineStored<string>({
  key: 'selectedPlan',
  version: 'plain',
  isValue: (value): value is string => isText(value) && /^[\w-]{1,100}$/.test(value),
})

export const readSelectedPlan = (): string | null => stored.read() ?? null

export const storeSelectedPlan = (planId: string): void => stored.write(planId)

export const clearSelectedPlan = (): void => stored.write(undefined)
