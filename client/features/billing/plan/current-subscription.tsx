import { useState } from 'react'
import type { MySubscription } from '#shared/schemas/billing.ts'
import { Badge, type BadgeTone } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { formatDate, formatMoney } from '#client/ui/format.ts'
import { toast } from '#client/ui/toast-store.ts'
import { useCancelSubscription, useResumeSubscription } from '../billing.api.ts'

type Subscription = NonNullable<MySubscription['subscription']>

const words: Record<Subscription['status'], { label: string; tone: BadgeTone }> = {
  active: { label: 'Active', tone: 'success' },
  trialing: { label: 'Trial', tone: 'success' },
  past_due: { label: 'Past due', tone: 'danger' },
  unpaid: { label: 'Unpaid', tone: 'danger' },
  incomplete: { label: 'Incomplete', tone: 'warning' },
  canceled: { label: 'Cancelled', tone: 'neutral' },
}

function stateOf({ status, cancelAtPeriodEnd }: Subscription): { label: string; tone: BadgeTone } {
  return status === 'active' && cancelAtPeriodEnd ? { label: 'Cancelling', tone: 'warning' } : words[status]
}

export function CurrentSubscription({ subscription, title }: { subscription: Subscription; title: string }) {
  const { plan, price, addOns, cancelAtPeriodEnd, currentPeriodEnd, complimentary, givenUntil } = subscription
  const state = stateOf(subscription)
  const endLabel = cancelAtPeriodEnd ? 'Ends on' : 'Next billing date'
  return (
    <Card aria-label={title}>
      <CardHeader title={title}>
        <Badge tone={state.tone}>{state.label}</Badge>
      </CardHeader>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4 px-4 pt-1 pb-4">
        <dl className="flex flex-wrap gap-x-10 gap-y-3">
          <Fact label="Plan" value={plan.name} />
          <Fact label="Price" value={complimentary ? 'Complimentary' : `${formatMoney(price)} per month`} />
          {addOns.map((addOn) => (
            <Fact key={addOn.id} label={addOn.name} value={`${formatMoney(addOn.price)} per month`} />
          ))}
          {givenUntil ? <Fact label="Complimentary until" value={formatDate(givenUntil)} /> : null}
          {currentPeriodEnd ? <Fact label={endLabel} value={formatDate(currentPeriodEnd)} /> : null}
        </dl>
        {givenUntil ? null : <CancelOrResume subscription={subscription} />}
      </div>
    </Card>
  )
}

function CancelOrResume({ subscription }: { subscription: Subscription }) {
  // Define the mutations here, because the pressed button unmounts before the result is shown.
  const cancel = useCancelSubscription()
  const resume = useResumeSubscription()
  return subscription.cancelAtPeriodEnd ? (
    <Button busy={resume.isPending} onClick={() => pressResume(resume)}>
      Resume Subscription
    </Button>
  ) : (
    <Cancel subscription={subscription} cancel={cancel} />
  )
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-xs text-ink-2">{label}</dt>
      <dd className="num text-base font-semibold">{value}</dd>
    </div>
  )
}

interface CancelProps {
  subscription: Subscription
  cancel: ReturnType<typeof useCancelSubscription>
}

function Cancel({ subscription, cancel }: CancelProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button variant="danger-ghost" onClick={() => setAsking(true)} className="max-md:-ml-3 md:-mr-3">
        Cancel Subscription
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Cancel your ${subscription.plan.name}?`}
        description={afterCancelling(subscription)}
        confirmLabel="Cancel Subscription"
        cancelLabel="Keep my plan"
        destructive
        busy={cancel.isPending}
        onConfirm={() => confirmCancel(cancel, () => setAsking(false))}
      />
    </>
  )
}

/** Explains what happens after canceling. The dealer keeps everything until the period ends, unless the last payment failed. */
function afterCancelling({ status, currentPeriodEnd }: Subscription): string {
  const end = currentPeriodEnd && formatDate(currentPeriodEnd)
  if (status === 'past_due' || status === 'unpaid')
    return `Your last payment failed, so features that need your plan are paused. Cancelling does not pay the open invoice. The plan ends ${end ? `on ${end}` : 'at the end of its billing period'}, and you can resume it until then.`
  return `You keep everything${end ? ` until ${end}` : ''}, and you can resume until then. After that you can still read and message, but features that need a plan end.`
}

function confirmCancel(cancel: CancelProps['cancel'], close: () => void) {
  cancel.mutate(undefined, {
    onSuccess: () =>
      toast({ title: 'Subscription Cancelled', description: 'Your subscription has been cancelled successfully.' }),
    onSettled: close,
  })
}

function pressResume(resume: ReturnType<typeof useResumeSubscription>) {
  resume.mutate(undefined, {
    onSuccess: () => toast({ title: 'Subscription Resumed', description: 'Your plan continues unchanged.' }),
  })
}
