import type {
  BillingOverview,
  ChangePreview,
  Invoice,
  MySubscription,
  SubscriptionPlan,
} from '#shared/schemas/billing.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { formatDate, formatMoney } from '#client/ui/format.ts'
import { type Column, Table } from '#client/ui/table.tsx'
import { useQuery } from '@tanstack/react-query'
import { toast } from '#client/ui/toast-store.ts'
import { mySubscriptionQuery, useEntitled } from '#client/lib/session/my-subscription.ts'
import { billingQuery, changePreviewQuery, paymentConfigQuery, plansQuery, useChangePlan } from '../billing.api.ts'
import { refetchPrice, ProrationDialog } from './proration-dialog.tsx'
import CreditCard from 'lucide-react/icons/credit-card'
import Receipt from 'lucide-react/icons/receipt'
import { useState } from 'react'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { AddOnsCard } from './add-ons-card.tsx'
import { AvailablePlans } from './available-plans.tsx'
import { CurrentSubscription } from './current-subscription.tsx'
import { PastDueNotice } from './past-due-notice.tsx'
import { ChangeCardDialog, PaymentMethodCard, useReturnWithCard } from './payment-method.tsx'
import { PlanCardsSkeleton } from '../plan-cards.tsx'
import { PlanLoadError } from '../plan-load-error.tsx'

const columns: readonly Column<Invoice>[] = [
  { key: 'date', title: 'Date', cell: ({ date }) => <span className="whitespace-nowrap">{formatDate(date)}</span> },
  { key: 'number', title: 'Invoice', cell: ({ number }) => number, wideOnly: true },
  { key: 'description', title: 'For', cell: ({ description }) => description },
  {
    key: 'status',
    title: 'Status',
    cell: ({ status, refunded }) => (
      <span className="inline-flex flex-wrap gap-1">
        {status === 'paid' ? <Badge tone="success">Paid</Badge> : <Badge tone="danger">Open</Badge>}
        {refunded > 0 ? <Badge>{formatMoney(refunded, 'exact')} refunded</Badge> : null}
      </span>
    ),
  },
  { key: 'amount', title: 'Amount', align: 'right', cell: ({ amount }) => formatMoney(amount, 'exact') },
]

function BillingHistory({ invoices }: { invoices: readonly Invoice[] }) {
  return (
    <Card aria-label="Billing History">
      <CardHeader title="Billing History" />
      <Table caption="Invoices, newest first" columns={columns} rows={invoices} rowKey={({ id }) => id} />
    </Card>
  )
}

export function ChangePlanDialog({ plan, onClose }: { plan: SubscriptionPlan; onClose: () => void }) {
  const preview = useQuery(changePreviewQuery(plan.id))
  const change = useChangePlan()
  const confirm = ({ planId, quote }: ChangePreview) =>
    change.mutate(
      { planId, quote },
      {
        onSuccess: () => {
          toast({ title: 'Plan Changed', description: `You are now on the ${plan.name}.` })
          onClose()
        },
        onError: refetchPrice(preview),
      },
    )
  return (
    <ProrationDialog
      title={`Change to ${plan.name}`}
      description="The unused part of your current plan is credited toward the new one."
      preview={preview}
      labels={{ keep: 'Keep my plan', free: 'Change plan', verb: 'change' }}
      busy={change.isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}

export function PlanManagement({ demo }: { demo: boolean }) {
  useReturnWithCard()
  const plans = useQuery(plansQuery())
  const mine = useQuery(mySubscriptionQuery())
  const billing = useQuery(billingQuery())
  const config = useQuery(paymentConfigQuery())
  const [next, setNext] = useState<SubscriptionPlan>()
  const [changingCard, setChangingCard] = useState(false)
  const subscription = mine.data?.subscription
  const changeCard =
    subscription?.complimentary === false && config.data !== undefined ? () => setChangingCard(true) : undefined
  return (
    <>
      <PlanLoadError loads={[plans, mine, billing, config]} />
      {mine.isPending ? <PlanCardsSkeleton /> : null}
      {mine.data ? (
        <OwnPlan mine={mine.data} plans={plans.data} onChangePlan={setNext} onChangeCard={changeCard} />
      ) : null}
      {billing.data ? <Payments billing={billing.data} onChangeCard={changeCard} /> : null}
      {next ? <ChangePlanDialog plan={next} onClose={() => setNext(undefined)} /> : null}
      {changingCard && config.data ? (
        <ChangeCardDialog config={config.data} demo={demo} onClose={() => setChangingCard(false)} />
      ) : null}
    </>
  )
}

interface OwnPlanProps {
  mine: MySubscription
  plans: SubscriptionPlan[] | undefined
  onChangePlan: (plan: SubscriptionPlan) => void
  onChangeCard: (() => void) | undefined
}

function OwnPlan({ mine: { subscription }, plans, onChangePlan, onChangeCard }: OwnPlanProps) {
  const owes = subscription?.status === 'past_due' || subscription?.status === 'unpaid'
  return (
    <>
      {subscription ? <CurrentSubscription subscription={subscription} title="Current Plan" /> : <NoPlan />}
      {onChangeCard && owes ? <PastDueNotice label="Pay with another card" busy={false} onPay={onChangeCard} /> : null}
      {plans ? <AvailablePlans plans={plans} subscription={subscription} onChange={onChangePlan} /> : null}
      {subscription ? <AddOnsCard subscription={subscription} /> : null}
    </>
  )
}

function Payments({ billing, onChangeCard }: { billing: BillingOverview; onChangeCard: (() => void) | undefined }) {
  return (
    <>
      <PaymentMethodCard method={billing.paymentMethod} onChange={onChangeCard} />
      {billing.invoices.length > 0 ? (
        <BillingHistory invoices={billing.invoices} />
      ) : (
        <Card aria-label="Billing History">
          <EmptyState compact icon={<Receipt size={24} />} title="No invoices yet" hint="Your payments appear here." />
        </Card>
      )}
    </>
  )
}

function NoPlan() {
  const mayPost = useEntitled('posting')
  return (
    <Card aria-label="Current Plan">
      <EmptyState
        icon={<CreditCard size={24} />}
        title="You have no plan"
        hint={
          mayPost
            ? 'You can post, bid and message without one. Plans add features, such as unlimited connections.'
            : 'You can read posts and send messages. A plan lets you post inventory and bid.'
        }
        action={
          <ButtonLink href="/subscribe" variant="primary">
            Choose a plan
          </ButtonLink>
        }
      />
    </Card>
  )
}
