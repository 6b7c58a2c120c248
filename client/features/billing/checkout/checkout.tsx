import { useQuery } from '@tanstack/react-query'
import type { SubscriptionPlan } from '#shared/schemas/billing.ts'
import { Card } from '#client/ui/card.tsx'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import { paymentConfigQuery } from '../billing.api.ts'
import { CheckoutForm } from './checkout-form.tsx'
import { toastProcessing } from './payment-unsettled.ts'
import { PaymentSummary } from './payment-summary.tsx'
import { PlanLoadError } from '../plan-load-error.tsx'
import { PlanPaymentElement } from './provider-form.tsx'

interface CheckoutProps {
  plan: SubscriptionPlan
  dealershipName: string
  demo: boolean
  onPaid: () => void
}

export function Checkout({ plan, dealershipName, demo, onPaid }: CheckoutProps) {
  const config = useQuery(paymentConfigQuery())
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_20rem] items-start gap-6 max-lg:grid-cols-1">
      <div className="space-y-3">
        <PlanLoadError loads={[config]} />
        {config.data?.form === 'card-form' ? <CheckoutForm plan={plan} demo={demo} onPaid={onPaid} /> : null}
        {config.data?.form === 'element' ? (
          <Card className="p-5 max-md:p-4">
            <PlanPaymentElement
              planId={plan.id}
              publishableKey={config.data.publishableKey}
              label="Complete Payment"
              onPaid={(active) => {
                if (!active) toastProcessing()
                else toast({ title: 'Payment Successful', description: `Welcome to the ${plan.name}!` })
                onPaid()
              }}
              onFailed={(error) => toastFailure('Payment Failed', error, 'Unable to process payment')}
            />
          </Card>
        ) : null}
      </div>
      <PaymentSummary plan={plan} dealershipName={dealershipName} />
    </div>
  )
}
