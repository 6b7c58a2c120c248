import { Suspense } from 'react'
import { lazyPart } from '#client/lib/lazy-part.ts'
import { usePlanNeed } from '#client/lib/plan-refusal.ts'

const UpgradeDialog = lazyPart(async () => (await import('./upgrade-dialog.tsx')).UpgradeDialog)

/** Beside every page: wherever the server refuses something for want of a plan, one dialog says so. */
export function UpgradeWatch() {
  const need = usePlanNeed()
  return need ? (
    <Suspense>
      <UpgradeDialog need={need} />
    </Suspense>
  ) : null
}
