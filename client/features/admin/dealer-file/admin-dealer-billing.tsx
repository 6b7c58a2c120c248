import { useQuery } from '@tanstack/react-query'
import CreditCard from 'lucide-react/icons/credit-card'
import Receipt from 'lucide-react/icons/receipt'
import { useState } from 'react'
import type { DealerBilling } from '#shared/schemas/billing.ts'
import { Badge, type BadgeTone } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { capitalize, formatDate, formatMoney } from '#client/ui/format.ts'
import { type Column, Table } from '#client/ui/table.tsx'
import { dealerBillingQuery, useRevokeGift } from './admin-dealer.api.ts'
import { ChangePlanDialog, GiftDialog, RefundDialog } from './admin-dealer-billing-dialogs.tsx'
import { Load } from '../home/admin-load.tsx'
import { ReasonDialog } from '../admin-reason-dialog.tsx'

type Invoice = DealerBilling['invoices'][number]
type Refund = DealerBilling['refunds'][number]

export function DealerBillingCards({ id }: { id: string }) {
  const billing = useQuery(dealerBillingQuery(id))
  const state = (
    <Card>
      <Load query={billing} what="plan and invoices">
        {() => null}
      </Load>
    </Card>
  )
  if (billing.data === undefined) return state
  const { subscription, invoices, refunds } = billing.data
  return (
    <>
      {billing.error ? state : null}
      <PlanCard id={id} subscription={subscription} />
      <Invoices id={id} invoices={invoices} />
      {refunds.length > 0 ? <Refunds refunds={refunds} /> : null}
    </>
  )
}

type Subscription = NonNullable<DealerBilling['subscription']>

const tones: Record<Subscription['status'], BadgeTone> = {
  active: 'success',
  trialing: 'success',
  past_due: 'danger',
  unpaid: 'danger',
  incomplete: 'warning',
  canceled: 'neutral',
}

function priceOf({ complimentary, givenUntil, price }: Subscription): string {
  if (givenUntil !== null) return 'Complimentary'
  return complimentary ? 'Complimentary' : `${formatMoney(price)} per month`
}

function endOf({ givenUntil, complimentary, currentPeriodEnd, cancelAtPeriodEnd }: Subscription): [string, string] {
  if (givenUntil !== null) return ['Complimentary until', formatDate(givenUntil)]
  if (complimentary || currentPeriodEnd === null) return ['Ends on', 'No end']
  return [cancelAtPeriodEnd ? 'Ends on' : 'Next billing date', formatDate(currentPeriodEnd)]
}

type PlanAct = 'change' | 'give' | 'end'

function PlanCard({ id, subscription }: { id: string; subscription: DealerBilling['subscription'] }) {
  const [open, setOpen] = useState<PlanAct>()
  const close = () => setOpen(undefined)
  return (
    <Card aria-label="Plan">
      <CardHeader title="Plan">
        {subscription ? (
          <Badge tone={tones[subscription.status]}>{capitalize(subscription.status.replace('_', ' '))}</Badge>
        ) : null}
      </CardHeader>
      {subscription ? (
        <PlanFacts subscription={subscription} />
      ) : (
        <EmptyState
          level={3}
          compact
          icon={<CreditCard size={24} />}
          title="No plan"
          hint="Features that need a plan are not available to this dealer."
        />
      )}
      <PlanActs subscription={subscription} onOpen={setOpen} />
      {open === 'change' && subscription ? (
        <ChangePlanDialog id={id} current={subscription.plan.id} onClose={close} />
      ) : null}
      {open === 'give' ? <GiftDialog id={id} subscription={subscription} onClose={close} /> : null}
      {open === 'end' ? <EndGiftDialog id={id} onClose={close} /> : null}
    </Card>
  )
}

function PlanActs({
  subscription,
  onOpen,
}: {
  subscription: DealerBilling['subscription']
  onOpen: (act: PlanAct) => void
}) {
  const paying = subscription !== null && !subscription.complimentary
  return (
    <>
      <div className="flex flex-wrap gap-2 px-4 pb-4">
        {paying ? (
          <Button disabled={subscription.status !== 'active'} onClick={() => onOpen('change')}>
            Change plan
          </Button>
        ) : (
          <Button onClick={() => onOpen('give')}>
            {subscription?.givenUntil ? 'Change complimentary plan' : 'Give a plan'}
          </Button>
        )}
        {subscription?.givenUntil ? (
          <Button variant="danger-ghost" onClick={() => onOpen('end')}>
            End complimentary plan
          </Button>
        ) : null}
      </div>
      {paying && subscription.status !== 'active' ? (
        <p className="px-4 pb-4 text-xs text-ink-2">An invoice is open. You can change the plan once it is paid.</p>
      ) : null}
    </>
  )
}

function PlanFacts({ subscription }: { subscription: Subscription }) {
  const facts = [
    ['Plan', subscription.plan.name],
    ['Price', priceOf(subscription)],
    ...subscription.addOns.map(({ name, price }) => [name, `${formatMoney(price)} per month`]),
    endOf(subscription),
  ] as const
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-3 px-4 pt-1 pb-4">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt className="text-xs text-ink-2">{label}</dt>
          <dd className="num font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function EndGiftDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const end = useRevokeGift()
  return (
    <ReasonDialog
      open
      onOpenChange={onClose}
      title="End the complimentary plan now?"
      description="The dealer loses the features that need a plan and is notified."
      confirmLabel="End complimentary plan"
      busy={end.isPending}
      onConfirm={(reason) => end.mutate({ id, reason }, { onSuccess: onClose })}
    />
  )
}

function InvoiceState({ invoice: { status, refunded } }: { invoice: Invoice }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      {status === 'paid' ? <Badge tone="success">Paid</Badge> : <Badge tone="danger">Open</Badge>}
      {refunded > 0 ? <Badge>{formatMoney(refunded, 'exact')} refunded</Badge> : null}
    </span>
  )
}

function RefundButton({ invoice, onOpen }: { invoice: Invoice; onOpen: () => void }) {
  if (invoice.refundable <= 0) return null
  return (
    <Button size="sm" aria-label={`Refund invoice ${invoice.number}`} onClick={onOpen}>
      Refund
    </Button>
  )
}

const columns = (open: (invoice: Invoice) => void): readonly Column<Invoice>[] => [
  { key: 'date', title: 'Date', cell: ({ date }) => <span className="whitespace-nowrap">{formatDate(date)}</span> },
  { key: 'number', title: 'Invoice', cell: ({ number }) => <span className="whitespace-nowrap">{number}</span> },
  { key: 'for', title: 'For', cell: ({ description }) => description },
  { key: 'state', title: 'Status', cell: (invoice) => <InvoiceState invoice={invoice} /> },
  { key: 'amount', title: 'Amount', align: 'right', cell: ({ amount }) => formatMoney(amount, 'exact') },
  {
    key: 'act',
    title: 'Actions',
    hideTitle: true,
    align: 'right',
    cell: (invoice) => <RefundButton invoice={invoice} onOpen={() => open(invoice)} />,
  },
]

function Invoices({ id, invoices }: { id: string; invoices: readonly Invoice[] }) {
  const [refunding, setRefunding] = useState<Invoice>()
  return (
    <Card aria-label="Invoices">
      <CardHeader title="Invoices" />
      {invoices.length === 0 ? (
        <EmptyState level={3} compact icon={<Receipt size={24} />} title="No invoices yet" />
      ) : (
        <Table
          caption="Invoices, newest first"
          columns={columns(setRefunding)}
          rows={invoices}
          rowKey={(invoice) => invoice.id}
          card={(invoice) => (
            <div className="flex items-center gap-3">
              <div className="min-w-0 flex-1">
                <p className="num font-semibold">
                  {formatMoney(invoice.amount, 'exact')} <InvoiceState invoice={invoice} />
                </p>
                <p className="text-ink-2 wrap-anywhere">{invoice.description}</p>
                <p className="num text-xs text-ink-2">
                  {invoice.number}, {formatDate(invoice.date)}
                </p>
              </div>
              <RefundButton invoice={invoice} onOpen={() => setRefunding(invoice)} />
            </div>
          )}
        />
      )}
      {refunding ? <RefundDialog id={id} invoice={refunding} onClose={() => setRefunding(undefined)} /> : null}
    </Card>
  )
}

const refundStates = {
  waiting: { label: 'Waiting for the payment provider', tone: 'warning' },
  done: { label: 'Refunded', tone: 'success' },
  refused: { label: 'Not refunded', tone: 'danger' },
} as const

function Refunds({ refunds }: { refunds: readonly Refund[] }) {
  return (
    <Card aria-label="Refunded">
      <CardHeader title="Refunded" />
      <ul className="pb-1">
        {refunds.map((refund) => (
          <li
            key={refund.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line px-4 py-2.5 not-last:border-b"
          >
            <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
              {refund.reason}
              {refund.refusal ? <span className="block text-danger-ink">{refund.refusal}</span> : null}
              <span className="num block text-xs text-ink-2">
                Invoice {refund.invoiceNumber}, {formatDate(refund.createdAt)}
              </span>
            </span>
            <span className="num font-semibold">{formatMoney(refund.amount, 'exact')}</span>
            <Badge tone={refundStates[refund.state].tone}>{refundStates[refund.state].label}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  )
}
