import { forgetPlanRefusal, type UpgradePrompt, remedyFor } from '#client/lib/session/plan-refusal.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { useDismissShown } from '#client/ui/toast-store.ts'

export function UpgradeDialog({ need }: { need: UpgradePrompt }) {
  const { reason } = need
  const { title, path, label } = remedyFor(need)
  useDismissShown(reason)
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
      {need.isInputKept ? (
        <p className="mt-2 text-ink-2">This form keeps what you've typed until you come back to it.</p>
      ) : null}
    </Dialog>
  )
}
