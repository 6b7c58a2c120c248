import { Lock } from 'lucide-react'
import type { SubscriptionPlan } from '#shared/schemas/billing.ts'
import { Card } from '#client/ui/card.tsx'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import { CardPaymentForm } from './card-payment-form.tsx'
import { useCardPayment } from './use-card-payment.ts'

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
