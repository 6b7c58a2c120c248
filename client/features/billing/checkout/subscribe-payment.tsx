import type { PaymentConfig, SubscriptionPlan } from '#shared/schemas/billing.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import { CardPaymentForm } from './card-form.tsx'
import { toastProcessing } from './payment-unsettled.ts'
import { PlanPaymentElement } from './provider-form.tsx'
import { useCardPayment } from './use-card-payment.ts'

export type ChosenPlan = Pick<SubscriptionPlan, 'id' | 'name'>

interface SubscribePaymentProps {
  plan: ChosenPlan
  clientSecret: string
  config: PaymentConfig
  demo: boolean
  onPaid: () => void
  onCancel: () => void
}

export function SubscribePayment({ plan, config, onCancel, ...rest }: SubscribePaymentProps) {
  const paid = (active = true) => {
    if (!active) toastProcessing()
    else toast({ title: 'Payment Successful', description: `Welcome to the ${plan.name}!` })
    rest.onPaid()
  }
  const failed = (error: Error) => toastFailure('Payment Failed', error)
  return (
    <Card aria-label="Complete Your Subscription" className="mx-auto max-w-[40rem]">
      <CardHeader title="Complete Your Subscription">
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Choose another plan
        </Button>
      </CardHeader>
      <div className="px-4 pt-1 pb-4">
        {config.form === 'element' ? (
          <PlanPaymentElement
            planId={plan.id}
            publishableKey={config.publishableKey}
            label="Subscribe Now"
            onPaid={paid}
            onFailed={failed}
          />
        ) : (
          <CardForm clientSecret={rest.clientSecret} demo={rest.demo} onPaid={paid} onFailed={failed} />
        )}
      </div>
    </Card>
  )
}

interface CardFormProps {
  clientSecret: string
  demo: boolean
  onPaid: () => void
  onFailed: (error: Error) => void
}

function CardForm({ clientSecret, demo, ...outcome }: CardFormProps) {
  const payment = useCardPayment(outcome)
  return (
    <CardPaymentForm
      payment={payment}
      label="Subscribe Now"
      demo={demo}
      onCard={(card) => payment.payFor(clientSecret, card)}
    />
  )
}
