import { lazy, Suspense } from 'react'
import { usePlanNeed } from '#client/lib/plan-refusal.ts'

const UpgradeDialog = lazy(async () => ({ default: (await import('./upgrade-dialog.tsx')).UpgradeDialog }))

/** Beside every page: wherever the server refuses something for want of a plan, one dialog says so. */
export function UpgradeWatch() {
  const need = usePlanNeed()
  return need ? (
    <Suspense>
      <UpgradeDialog need={need} />
    </Suspense>
  ) : null
}
