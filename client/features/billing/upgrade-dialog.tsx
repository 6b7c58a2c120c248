import { useEffect } from 'react'
import { forgetPlanRefusal, type PlanNeed } from '#client/lib/plan-refusal.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { dismissToast, useToast } from '#client/ui/toast-store.ts'

const ways: Record<PlanNeed['plan'], { title: string; path: string; label: string }> = {
  subscribe: { title: 'This needs a plan', path: '/subscribe', label: 'Choose a plan' },
  pay: { title: 'Your plan is not paid', path: '/plan-management', label: 'Go to your plan' },
  upgrade: { title: 'Your plan is full', path: '/plan-management', label: 'Compare plans' },
}

/** What the plan does not allow and where to change that. What was typed stays where it was typed. */
export function UpgradeDialog({ need: { plan, reason } }: { need: PlanNeed }) {
  const { title, path, label } = ways[plan]
  const said = useToast()
  // The same sentence twice is once too often.
  useEffect(() => {
    if (said?.open && said.description === reason) dismissToast(said.id)
  }, [said, reason])
  return (
    <Dialog
      open
      compact
      onOpenChange={(stays) => !stays && forgetPlanRefusal()}
      title={title}
      footer={
        <>
          <Button onClick={forgetPlanRefusal}>Not now</Button>
          <ButtonLink href={path} variant="primary" onClick={forgetPlanRefusal}>
            {label}
          </ButtonLink>
        </>
      }
    >
      <p>{reason}.</p>
      <p className="mt-2 text-ink-2">Nothing that you have typed is lost: it is there when you come back.</p>
    </Dialog>
  )
}
