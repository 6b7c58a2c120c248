import { Suspense } from 'react'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { usePlanNeed } from '#client/lib/session/plan-refusal.ts'

const UpgradeDialog = lazyPart(async () => (await import('./upgrade-dialog.tsx')).UpgradeDialog)

/** Mounted on every page: shows the upgrade dialog when a call is refused because of the plan. */
export function UpgradeWatch() {
  const need = usePlanNeed()
  return need ? (
    <Suspense>
      <UpgradeDialog need={need} />
    </Suspense>
  ) : null
}
