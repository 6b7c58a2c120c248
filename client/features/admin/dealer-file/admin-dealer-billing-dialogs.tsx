import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChangePreview, DealerBilling } from '#shared/schemas/billing.ts'
import { ApiError, reasonOf } from '#client/lib/http/api.ts'
import { newId } from '#client/lib/http/new-id.ts'
import { typedAmount } from '#client/lib/form/typed-amount.ts'
import { KeyValue } from '#client/ui/card.tsx'
import { FormDialog } from '#client/ui/form-dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { formatMoney } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { QueryError } from '#client/ui/query-state.tsx'
import { Input } from '#client/ui/input.tsx'
import { Select } from '#client/ui/select.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { endOfDay, todayHere } from '../admin-date-field.ts'
import { pricingQuery } from '../admin.api.ts'
import { dealerPlanQuery, useChangeDealerPlan, useGivePlan, useRefund } from './admin-dealer.api.ts'
import { reasonMissing } from '../admin-reason-dialog.tsx'
import { reasonMax, reasonMin } from '#shared/limits.ts'

function ReasonField({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) {
  return (
    <Field label="Reason" required error={error}>
      <Textarea value={value} maxLength={reasonMax} onChange={(event) => onChange(event.target.value)} />
    </Field>
  )
}

function usePlans(except?: string) {
  const query = useQuery(pricingQuery())
  const options = query.data?.plans
    .filter(({ id, isActive }) => isActive && id !== except)
    .map(({ id, name, price }) => ({ value: id, label: `${name}, ${formatMoney(price)} per month` }))
  return { query, options }
}

interface PlanFieldProps {
  plans: ReturnType<typeof usePlans>
  value: string
  onChange: (planId: string) => void
}

function PlanField({ plans: { query, options }, value, onChange }: PlanFieldProps) {
  if (options?.length === 0) return <p>No other plans are available.</p>
  if (options)
    return (
      <Field label="Plan">
        <Select value={value} onChange={onChange} options={options} />
      </Field>
    )
  if (query.error) return <QueryError query={query} failure="Plans could not be loaded" />
  return (
    <Loading label="Loading plans">
      <Skeleton className="h-10" />
    </Loading>
  )
}

export function RefundDialog({
  id,
  invoice,
  onClose,
}: {
  id: string
  invoice: DealerBilling['invoices'][number]
  onClose: () => void
}) {
  const refund = useRefund()
  const [key, setKey] = useState(newId)
  const most = formatMoney(invoice.refundable, 'exact')
  const { values, errors, set, submit } = useFormState({
    initial: { amount: invoice.refundable.toFixed(2), reason: '' },
    validate: ({ amount, reason }) => ({
      ...(!isRefundable(amount, invoice.refundable) && { amount: `Enter an amount up to ${most}` }),
      ...(reason.trim().length < reasonMin && { reason: reasonMissing }),
    }),
    onSubmit: ({ amount, reason }) =>
      refund.mutate(
        { id, key, invoiceId: invoice.id, amount: typedAmount(amount) ?? 0, reason: reason.trim() },
        // If there was no response, keep the idempotency key, so that pressing Refund again cannot refund twice.
        { onSuccess: onClose, onError: (error) => error instanceof ApiError && setKey(newId()) },
      ),
  })
  return (
    <FormDialog
      title={`Refund invoice ${invoice.number}`}
      description="The refund goes to the card that paid the invoice, and the dealer is notified. This cannot be undone."
      confirmLabel="Refund"
      busy={refund.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Amount" required hint={`Up to ${most}`} error={errors.amount}>
        <Input
          inputMode="decimal"
          value={values.amount}
          trailing="USD"
          onChange={(event) => set('amount', event.target.value)}
        />
      </Field>
      <ReasonField value={values.reason} error={errors.reason} onChange={(reason) => set('reason', reason)} />
    </FormDialog>
  )
}

function isRefundable(text: string, most: number): boolean {
  const amount = typedAmount(text)
  return amount !== undefined && amount <= most && /^\D*[\d,]+(\.\d{1,2})?\s*$/.test(text)
}

export function GiftDialog({
  id,
  subscription,
  onClose,
}: {
  id: string
  subscription: DealerBilling['subscription']
  onClose: () => void
}) {
  const give = useGivePlan()
  const plans = usePlans()
  const [today] = useState(todayHere)
  /** Returns `planId` if that plan is available, otherwise the id of the first available plan. */
  const isOffered = (planId: string) =>
    (plans.options?.find(({ value }) => value === planId) ?? plans.options?.[0])?.value ?? ''
  const { values, errors, set, submit } = useFormState({
    initial: { planId: subscription?.plan.id ?? 'premium', until: '', reason: '' },
    validate: ({ until, reason }) => ({
      ...(!endOfDay(until) && { until: 'Choose today or a later date' }),
      ...(reason.trim().length < reasonMin && { reason: reasonMissing }),
    }),
    onSubmit: ({ planId, until: day, reason }) => {
      const until = endOfDay(day)?.toISOString()
      if (until) give.mutate({ id, planId: isOffered(planId), until, reason: reason.trim() }, { onSuccess: onClose })
    },
  })
  return (
    <FormDialog
      title="Give a plan"
      description="It is free, does not count as revenue and ends automatically. The dealer is notified."
      confirmLabel="Give plan"
      busy={give.isPending}
      disabled={!plans.options?.length}
      onSubmit={submit}
      onClose={onClose}
    >
      <PlanField plans={plans} value={isOffered(values.planId)} onChange={(planId) => set('planId', planId)} />
      <Field label="Last day" required error={errors.until}>
        <Input type="date" min={today} value={values.until} onChange={(event) => set('until', event.target.value)} />
      </Field>
      <ReasonField value={values.reason} error={errors.reason} onChange={(reason) => set('reason', reason)} />
    </FormDialog>
  )
}

/** Changes the dealer's plan. The price difference is charged or credited immediately. */
export function ChangePlanDialog({ id, current, onClose }: { id: string; current: string; onClose: () => void }) {
  const change = useChangeDealerPlan()
  const plans = usePlans(current)
  const [chosen, setChosen] = useState('')
  const planId = chosen || (plans.options?.[0]?.value ?? '')
  const preview = useQuery(dealerPlanQuery(id, planId))
  const { values, errors, set, submit } = useFormState({
    initial: { reason: '' },
    validate: ({ reason }) => (reason.trim().length < reasonMin ? { reason: reasonMissing } : {}),
    onSubmit: ({ reason }) => {
      if (!preview.data) return
      const { quote } = preview.data
      change.mutate(
        { id, planId, quote, reason: reason.trim() },
        { onSuccess: onClose, onError: (error) => error instanceof ApiError && void preview.refetch() },
      )
    },
  })
  return (
    <FormDialog
      title="Change plan"
      description="The change takes effect right away: the dealer's card is charged or the unused part is credited, and the dealer is notified."
      confirmLabel={
        preview.data?.dueNow ? `Charge ${formatMoney(preview.data.dueNow, 'exact')} and change` : 'Change plan'
      }
      busy={change.isPending || preview.isRefetching}
      disabled={!preview.data}
      onSubmit={submit}
      onClose={onClose}
    >
      <PlanField plans={plans} value={planId} onChange={setChosen} />
      {planId === '' ? null : <Price preview={preview} />}
      <ReasonField value={values.reason} error={errors.reason} onChange={(reason) => set('reason', reason)} />
    </FormDialog>
  )
}

function Price({
  preview: { data, error, isFetching, refetch },
}: {
  preview: { data: ChangePreview | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }
}) {
  if (error)
    return (
      <InlineError
        title="The price could not be calculated"
        message={reasonOf(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    )
  if (!data)
    return (
      <Loading label="Calculating the price">
        <Skeleton className="h-5" />
      </Loading>
    )
  return (
    <dl>
      {data.lines.map(({ description, amount }) => (
        <KeyValue key={description} label={description}>
          <span className="num">{formatMoney(amount, 'exact')}</span>
        </KeyValue>
      ))}
      <KeyValue label="Charged now">
        <span className="num font-semibold">{formatMoney(data.dueNow, 'exact')}</span>
      </KeyValue>
      {data.credit > 0 ? <KeyValue label="Credit">{formatMoney(data.credit, 'exact')}</KeyValue> : null}
      <KeyValue label="Monthly after that">{formatMoney(data.newPrice)}</KeyValue>
    </dl>
  )
}
