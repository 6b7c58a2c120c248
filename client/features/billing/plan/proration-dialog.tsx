import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ProrationPreview } from '#shared/schemas/billing.ts'
import { ApiError } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { formatDate, formatMoney } from '#client/ui/format.ts'
import { QueryError } from '#client/ui/query-state.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import { mySubscriptionQuery } from '#client/lib/session/my-subscription.ts'

interface ProrationDialogProps<Preview extends ProrationPreview> {
  title: string
  description: string
  preview: UseQueryResult<Preview>
  labels: {
    keep: string
    /** The button's label if nothing is due today. */
    free: string
    /** The verb that follows "Pay $1.00 and" on the button. */
    verb: string
  }
  busy: boolean
  onConfirm: (preview: Preview) => void
  onClose: () => void
}

/**
 * Returns an error handler. If the server rejected the change, the handler refetches the price. If there was no response, it keeps the
 * price, so that another press cannot charge twice.
 */
export const refetchPrice = (preview: Pick<UseQueryResult, 'refetch'>) => (error: Error) => {
  if (error instanceof ApiError) void preview.refetch()
}

export function ProrationDialog<Preview extends ProrationPreview>({
  title,
  description,
  preview,
  labels,
  busy,
  onConfirm,
  onClose,
}: ProrationDialogProps<Preview>) {
  const { data } = preview
  return (
    <Dialog
      open
      onOpenChange={(stays) => !stays && onClose()}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>{labels.keep}</Button>
          <Button
            variant="primary"
            disabled={!data || preview.isRefetchError}
            busy={busy || preview.isRefetching}
            onClick={() => {
              if (data) onConfirm(data)
            }}
          >
            {data && data.dueNow > 0 ? `Pay ${formatMoney(data.dueNow, 'exact')} and ${labels.verb}` : labels.free}
          </Button>
        </>
      }
    >
      <QueryError query={preview} failure="The price could not be calculated" />
      {data ? <Breakdown preview={data} /> : null}
      {preview.isPending ? (
        <Loading label="Calculating the price">
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

function Breakdown({ preview }: { preview: ProrationPreview }) {
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
      <RemainingTimeNote newPrice={preview.newPrice} />
    </dl>
  )
}

/** If the subscription was canceled, shows the date on which it still ends, because changing its plan does not renew it. */
function RemainingTimeNote({ newPrice }: { newPrice: number }) {
  const { data } = useQuery(mySubscriptionQuery())
  const subscription = data?.subscription
  const lastDay = subscription?.cancelAtPeriodEnd ? subscription.currentPeriodEnd : null
  return (
    <div>
      <dt className="text-ink-2">{lastDay ? 'Your subscription still ends on' : 'From the next billing date'}</dt>
      <dd className="num">{lastDay ? formatDate(lastDay) : `${formatMoney(newPrice, 'exact')} per month`}</dd>
    </div>
  )
}
