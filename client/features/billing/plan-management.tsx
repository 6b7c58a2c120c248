import { useQuery } from '@tanstack/react-query'
import { CreditCard, Receipt } from 'lucide-react'
import { useState } from 'react'
import type { SubscriptionPlan } from '#shared/schemas/billing.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { billingQuery, mySubscriptionQuery, plansQuery } from './billing.api.ts'
import { AvailablePlans } from './available-plans.tsx'
import { BillingHistory } from './billing-history.tsx'
import { ChangePlanDialog } from './change-plan-dialog.tsx'
import { CurrentSubscription } from './current-subscription.tsx'
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
  const [next, setNext] = useState<SubscriptionPlan>()
  const subscription = mine.data?.subscription
  return (
    <>
      <PlanLoadError loads={[plans, mine, billing]} />
      {mine.isPending ? <PlanCardsSkeleton /> : null}
      {subscription ? <CurrentSubscription subscription={subscription} title="Current Plan" /> : null}
      {mine.data && !subscription ? <NoPlan /> : null}
      {plans.data && mine.data ? (
        <AvailablePlans plans={plans.data} subscription={subscription ?? null} onChange={setNext} />
      ) : null}
      {billing.data ? (
        <>
          <PaymentMethodCard method={billing.data.paymentMethod} subscription={subscription ?? null} demo={demo} />
          {billing.data.invoices.length > 0 ? (
            <BillingHistory invoices={billing.data.invoices} />
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
      ) : null}
      {next ? <ChangePlanDialog plan={next} onClose={() => setNext(undefined)} /> : null}
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
