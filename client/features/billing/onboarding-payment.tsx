import { Lock } from 'lucide-react'
import type { SubscriptionPlan } from '#shared/schemas/billing.ts'
import { reasonOf } from '#client/lib/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { TestAid } from '#client/ui/test-aid.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { AuthenticationDialog } from './authentication-dialog.tsx'
import { CardFields } from './card-fields.tsx'
import { blankCard, blankCardFields, dummyCard } from './card-values.ts'
import { useCardPayment } from './use-card-payment.ts'

const missing = 'Please fill in all payment fields'

interface OnboardingPaymentProps {
  plan: SubscriptionPlan
  /** Test aids are allowed. */
  demo: boolean
  onPaid: () => void
}

/** Step 2's card form; there once a plan is picked. */
export function OnboardingPayment({ plan, demo, onPaid }: OnboardingPaymentProps) {
  const payment = useCardPayment({
    onPaid: () => {
      toast({ title: 'Welcome to Lanewire!', description: `Your ${plan.name} is active.` })
      onPaid()
    },
    onFailed: (error) =>
      toast({
        title: 'Payment Failed',
        description: reasonOf(error) || 'Failed to process payment',
        variant: 'destructive',
      }),
  })
  const form = useFormState({
    initial: blankCard,
    validate: (values) => blankCardFields(values, () => missing),
    onInvalid: () => toast({ title: 'Missing Information', description: missing, variant: 'destructive' }),
    onSubmit: ({ name, ...card }) => payment.payForPlan(plan.id, { ...card, cardholderName: name }),
  })
  const fill = () => {
    form.setValues(dummyCard)
    form.setErrors({})
    toast({ title: 'Dummy Payment Info Loaded', description: 'The form is filled with a test card' })
  }
  return (
    <Card className="p-5 max-md:p-4">
      <form noValidate onSubmit={form.submit} className="space-y-3" autoComplete="on">
        <PaymentHeading />
        <CardFields values={form.values} errors={form.errors} set={form.set} nameLabel="Cardholder name" />
        <Button type="submit" variant="primary" size="lg" block busy={payment.busy} className="mt-4">
          {payment.busy ? 'Processing...' : 'Complete Payment'}
        </Button>
        {demo ? (
          <TestAid>
            <Button size="sm" onClick={fill}>
              Fill Dummy Payment
            </Button>
          </TestAid>
        ) : null}
      </form>
      <AuthenticationDialog open={payment.asking} busy={payment.answering} onAnswer={payment.answer} />
    </Card>
  )
}

export function PaymentHeading() {
  return (
    <div className="flex items-center justify-between gap-2">
      <h2 className="text-base font-semibold">Payment</h2>
      <span className="flex items-center gap-1 text-xs text-ink-2">
        <Lock size={14} aria-hidden="true" />
        Encrypted
      </span>
    </div>
  )
}
