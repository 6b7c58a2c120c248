import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PaymentConfig, SubscriptionPlan } from '#shared/schemas/billing.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Card } from '#client/ui/card.tsx'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import { paymentConfigQuery, plansQuery } from '../billing.api.ts'
import { CardPaymentForm, PaymentHeading } from './card-form.tsx'
import { toastProcessing } from './payment-unsettled.ts'
import { PaymentSummary } from './payment-summary.tsx'
import { PlanCardsSkeleton } from '../plan-cards.tsx'
import { PlanLoadError } from '../plan-load-error.tsx'
import { PlanPicker } from './plan-picker.tsx'
import { PlanPaymentElement } from './provider-form.tsx'
import { clearSelectedPlan, readSelectedPlan, storeSelectedPlan } from './selected-plan.ts'
import { useCardPayment } from './use-card-payment.ts'

/** Enterprise is sold only on the subscribe page. */
const offered: ReadonlySet<string> = new Set(['basic', 'premium'])

interface OnboardingPlanProps {
  initialPlanId: string | null
  dealershipName: string
  demo: boolean
  onChoose: (planId: string) => void
  onPaid: () => void
}

export function OnboardingPlan({ initialPlanId, dealershipName, demo, onChoose, onPaid }: OnboardingPlanProps) {
  const plans = useQuery(plansQuery())
  const config = useQuery(paymentConfigQuery())
  const me = useCurrentDealer()
  const [planId, setPlanId] = useState(initialPlanId ?? readSelectedPlan(me.id))
  const choices = plans.data?.filter(({ id }) => offered.has(id))
  const plan = choices?.find(({ id }) => id === planId)
  const choose = (id: string) => {
    setPlanId(id)
    storeSelectedPlan(id, me.id)
    onChoose(id)
  }
  const paid = () => {
    clearSelectedPlan(me.id)
    onPaid()
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_20rem] items-start gap-6 max-lg:grid-cols-1">
      <div className="space-y-3">
        <PlanLoadError loads={[plans, config]} />
        {choices ? <PlanPicker plans={choices} value={plan?.id ?? null} onChange={choose} /> : null}
        {plans.isPending ? <PlanCardsSkeleton /> : null}
        {plan && config.data ? <PlanPayment plan={plan} config={config.data} demo={demo} onPaid={paid} /> : null}
      </div>
      <PaymentSummary plan={plan} dealershipName={dealershipName} />
    </div>
  )
}

interface PlanPaymentProps {
  plan: SubscriptionPlan
  config: PaymentConfig
  demo: boolean
  onPaid: () => void
}

/** The simulated provider uses our own card form. A real provider has its own form. */
function PlanPayment({ plan, config, demo, onPaid }: PlanPaymentProps) {
  if (config.form === 'card-form') return <OnboardingPayment plan={plan} demo={demo} onPaid={onPaid} />
  return (
    <Card className="p-5 max-md:p-4">
      <PlanPaymentElement
        planId={plan.id}
        publishableKey={config.publishableKey}
        label="Complete Payment"
        onPaid={(active) => {
          if (!active) toastProcessing()
          else toast({ title: 'Welcome to Lanewire!', description: `Your ${plan.name} is active.` })
          onPaid()
        }}
        onFailed={(error) => toastFailure('Payment Failed', error, 'Failed to process payment')}
      />
    </Card>
  )
}

function OnboardingPayment({ plan, demo, onPaid }: Omit<PlanPaymentProps, 'config'>) {
  const payment = useCardPayment({
    onPaid: () => {
      toast({ title: 'Welcome to Lanewire!', description: `Your ${plan.name} is active.` })
      onPaid()
    },
    onFailed: (error) => toastFailure('Payment Failed', error, 'Failed to process payment'),
  })
  return (
    <Card className="p-5 max-md:p-4">
      <CardPaymentForm
        payment={payment}
        label="Complete Payment"
        demo={demo}
        onCard={(card) => payment.payForPlan(plan.id, card)}
        heading={<PaymentHeading />}
      />
    </Card>
  )
}
