import { useQuery } from '@tanstack/react-query'
import type { ChangePreview, SubscriptionPlan } from '#shared/schemas/billing.ts'
import { toast } from '#client/ui/toast-store.ts'
import { changePreviewQuery, useChangePlan } from './billing.api.ts'
import { priceAnew, ProrationDialog } from './proration-dialog.tsx'

/** What the change costs today, before it is made. */
export function ChangePlanDialog({ plan, onClose }: { plan: SubscriptionPlan; onClose: () => void }) {
  const preview = useQuery(changePreviewQuery(plan.id))
  const change = useChangePlan()
  const confirm = ({ planId, quote }: ChangePreview) =>
    change.mutate(
      { planId, quote },
      {
        onSuccess: () => {
          toast({ title: 'Plan Changed', description: `You are on the ${plan.name} now.` })
          onClose()
        },
        onError: priceAnew(preview),
      },
    )
  return (
    <ProrationDialog
      title={`Change to ${plan.name}`}
      description="The unused part of your current plan counts towards the new one."
      preview={preview}
      labels={{ keep: 'Keep my plan', free: 'Change plan', verb: 'change' }}
      busy={change.isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
