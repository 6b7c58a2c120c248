import { useQuery } from '@tanstack/react-query'
import type { ChangePreview, SubscriptionPlan } from '#shared/schemas/billing.ts'
import { reasonOf } from '#client/lib/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { formatMoney } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { changePreviewQuery, useChangePlan } from './billing.api.ts'

/** What the change costs today, before it is made. */
export function ChangePlanDialog({ plan, onClose }: { plan: SubscriptionPlan; onClose: () => void }) {
  const preview = useQuery(changePreviewQuery(plan.id))
  const change = useChangePlan()
  const confirm = ({ planId, prorationDate }: ChangePreview) =>
    change.mutate(
      { planId, prorationDate },
      {
        onSuccess: () => {
          toast({ title: 'Plan Changed', description: `You are on the ${plan.name} now.` })
          onClose()
        },
        onError: (error) => toast({ title: 'Payment Failed', description: reasonOf(error), variant: 'destructive' }),
      },
    )
  const { data } = preview
  return (
    <Dialog
      open
      onOpenChange={(stays) => !stays && onClose()}
      title={`Change to ${plan.name}`}
      description="The unused part of your current plan counts towards the new one."
      footer={
        <>
          <Button onClick={onClose}>Keep my plan</Button>
          <Button
            variant="primary"
            disabled={!data}
            busy={change.isPending}
            onClick={() => {
              if (data) confirm(data)
            }}
          >
            {data && data.dueNow > 0 ? `Pay ${formatMoney(data.dueNow, 'exact')} and change` : 'Change plan'}
          </Button>
        </>
      }
    >
      {preview.error ? (
        <InlineError
          title="The price could not be worked out"
          message={reasonOf(preview.error)}
          onRetry={() => void preview.refetch()}
          retrying={preview.isFetching}
        />
      ) : null}
      {data ? <Breakdown preview={data} /> : null}
      {preview.isPending ? (
        <Loading label="Working out the price">
          <div className="space-y-3">
            <Skeleton />
            <Skeleton />
            <Skeleton className="h-5" />
          </div>
        </Loading>
      ) : null}
    </Dialog>
  )
}

function Breakdown({ preview }: { preview: ChangePreview }) {
  return (
    <dl className="[&>div]:flex [&>div]:justify-between [&>div]:gap-4 [&>div]:border-line [&>div]:py-2 [&>div:not(:last-child)]:border-b">
      {preview.lines.map(({ description, amount }) => (
        <div key={description}>
          <dt className="text-ink-2">{description}</dt>
          <dd className="num">{formatMoney(amount, 'exact')}</dd>
        </div>
      ))}
      <div className="text-md font-semibold">
        <dt>Due today</dt>
        <dd className="num">{formatMoney(preview.dueNow, 'exact')}</dd>
      </div>
      {preview.credit > 0 ? (
        <div>
          <dt className="text-ink-2">Credit for your next invoices</dt>
          <dd className="num">{formatMoney(preview.credit, 'exact')}</dd>
        </div>
      ) : null}
      <div>
        <dt className="text-ink-2">From the next billing date</dt>
        <dd className="num">{formatMoney(preview.newPrice, 'exact')} per month</dd>
      </div>
    </dl>
  )
}
