import { useQuery } from '@tanstack/react-query'
import { CreditCard, Receipt } from 'lucide-react'
import { useState } from 'react'
import type { BillingOverview, SubscriptionPlan } from '#shared/schemas/billing.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { billingQuery, mySubscriptionQuery, paymentConfigQuery, plansQuery } from './billing.api.ts'
import { AddOnsCard } from './add-ons-card.tsx'
import { AvailablePlans } from './available-plans.tsx'
import { BillingHistory } from './billing-history.tsx'
import { ChangeCardDialog } from './change-card-dialog.tsx'
import { ChangePlanDialog } from './change-plan-dialog.tsx'
import { CurrentSubscription } from './current-subscription.tsx'
import { PastDueNotice } from './past-due-notice.tsx'
import { PaymentMethodCard } from './payment-method-card.tsx'
import { PlanCardsSkeleton } from './plan-cards.tsx'
import { PlanLoadError } from './plan-load-error.tsx'
import { useReturnWithCard } from './use-new-card.ts'

/** Everything about the dealer's own plan, from the server (READING.md "Plan management"). */
export function PlanManagement({ demo }: { demo: boolean }) {
  useReturnWithCard()
  const plans = useQuery(plansQuery())
  const mine = useQuery(mySubscriptionQuery())
  const billing = useQuery(billingQuery())
  const config = useQuery(paymentConfigQuery())
  const [next, setNext] = useState<SubscriptionPlan>()
  const [changingCard, setChangingCard] = useState(false)
  const subscription = mine.data?.subscription
  const pays = subscription?.complimentary === false && config.data !== undefined
  const owes = subscription?.status === 'past_due' || subscription?.status === 'unpaid'
  const changeCard = () => setChangingCard(true)
  return (
    <>
      <PlanLoadError loads={[plans, mine, billing, config]} />
      {mine.isPending ? <PlanCardsSkeleton /> : null}
      {subscription ? <CurrentSubscription subscription={subscription} title="Current Plan" /> : null}
      {pays && owes ? <PastDueNotice label="Pay with another card" busy={false} onPay={changeCard} /> : null}
      {mine.data && !subscription ? <NoPlan /> : null}
      {plans.data && mine.data ? (
        <AvailablePlans plans={plans.data} subscription={subscription ?? null} onChange={setNext} />
      ) : null}
      {subscription ? <AddOnsCard subscription={subscription} /> : null}
      {billing.data ? <Payments billing={billing.data} onChangeCard={pays ? changeCard : undefined} /> : null}
      {next ? <ChangePlanDialog plan={next} onClose={() => setNext(undefined)} /> : null}
      {changingCard && config.data ? (
        <ChangeCardDialog config={config.data} demo={demo} onClose={() => setChangingCard(false)} />
      ) : null}
    </>
  )
}

/** With what it is paid, and what has been. */
function Payments({ billing, onChangeCard }: { billing: BillingOverview; onChangeCard: (() => void) | undefined }) {
  return (
    <>
      <PaymentMethodCard method={billing.paymentMethod} onChange={onChangeCard} />
      {billing.invoices.length > 0 ? (
        <BillingHistory invoices={billing.invoices} />
      ) : (
        <Card aria-label="Billing History">
          <EmptyState
            compact
            icon={<Receipt size={24} />}
            title="No invoices yet"
            hint="Every payment leaves a line here."
          />
        </Card>
      )}
    </>
  )
}

function NoPlan() {
  return (
    <Card aria-label="Current Plan">
      <EmptyState
        icon={<CreditCard size={24} />}
        title="You have no plan"
        hint="You can read and message. A plan lets you post inventory and bid."
        action={
          <ButtonLink href="/subscribe" variant="primary">
            Choose a plan
          </ButtonLink>
        }
      />
    </Card>
  )
}
