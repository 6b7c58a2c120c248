import { Suspense } from 'react'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { usePlanNeed } from '#client/lib/session/plan-refusal.ts'

const UpgradeDialog = lazyPart(async () => (await import('./upgrade-dialog.tsx')).UpgradeDialog)

/** Shows the upgrade dialog when the server rejects a request because of the dealer's plan. */
export function UpgradeWatch() {
  const need = usePlanNeed()
  return need ? (
    <Suspense>
      <UpgradeDialog need={need} />
    </Suspense>
  ) : null
}
