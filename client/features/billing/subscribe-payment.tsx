import type { PaymentConfig, SubscriptionPlan } from '#shared/schemas/billing.ts'
import { reasonOf } from '#client/lib/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { TestAid } from '#client/ui/test-aid.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { AuthenticationDialog } from './authentication-dialog.tsx'
import { CardFields } from './card-fields.tsx'
import { blankCard, blankCardFields, dummyCard } from './card-values.ts'
import { PlanPaymentElement } from './plan-payment-element.tsx'
import { useCardPayment } from './use-card-payment.ts'

interface SubscribePaymentProps {
  plan: SubscriptionPlan
  clientSecret: string
  config: PaymentConfig
  demo: boolean
  onPaid: () => void
  onCancel: () => void
}

/** The card that opens under the plans once one is chosen. */
export function SubscribePayment({ plan, config, onCancel, ...rest }: SubscribePaymentProps) {
  const paid = () => {
    toast({ title: 'Payment Successful', description: `Welcome to the ${plan.name}!` })
    rest.onPaid()
  }
  const failed = (error: Error) =>
    toast({ title: 'Payment Failed', description: reasonOf(error), variant: 'destructive' })
  return (
    <Card aria-label="Complete Your Subscription" className="mx-auto max-w-[640px]">
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

const missing = 'Please fill in all payment fields'

function CardForm({ clientSecret, demo, ...outcome }: CardFormProps) {
  const payment = useCardPayment(outcome)
  const form = useFormState({
    initial: blankCard,
    validate: (values) => blankCardFields(values, () => missing),
    onInvalid: () => toast({ title: 'Missing Information', description: missing, variant: 'destructive' }),
    onSubmit: ({ name, ...card }) => payment.payFor(clientSecret, { ...card, cardholderName: name }),
  })
  const fill = () => {
    form.setValues(dummyCard)
    form.setErrors({})
    toast({ title: 'Dummy Payment Info Loaded', description: 'The form is filled with a test card' })
  }
  return (
    <form noValidate aria-label="Card payment" onSubmit={form.submit} className="space-y-3">
      <CardFields values={form.values} errors={form.errors} set={form.set} nameLabel="Cardholder name" />
      <Button type="submit" variant="primary" size="lg" block busy={payment.busy}>
        {payment.busy ? 'Processing...' : 'Subscribe Now'}
      </Button>
      {demo ? (
        <TestAid>
          <Button size="sm" onClick={fill}>
            Fill Dummy Payment
          </Button>
        </TestAid>
      ) : null}
      <AuthenticationDialog open={payment.asking} busy={payment.answering} onAnswer={payment.answer} />
    </form>
  )
}
