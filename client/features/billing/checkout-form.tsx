import { type FormEvent, useState } from 'react'
import type { BillingAddress, SubscriptionPlan } from '#shared/schemas/billing.ts'
import { usePersisted } from '#client/lib/persisted.ts'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import type { FieldErrors } from '#client/ui/form-state.ts'
import { TestAid } from '#client/ui/test-aid.tsx'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import { AuthenticationDialog } from './authentication-dialog.tsx'
import { BillingAddressFields } from './billing-address-fields.tsx'
import { CardFields } from './card-fields.tsx'
import { blankCard, cardRefusal, dummyCard, type CardValues } from './card-values.ts'
import { blankAddress, dummyAddress, firstFault, validateCheckout, type CheckoutValues } from './checkout-values.ts'
import { PaymentHeading } from './onboarding-payment.tsx'
import { useCardPayment } from './use-card-payment.ts'

interface CheckoutFormProps {
  plan: SubscriptionPlan
  demo: boolean
  onPaid: () => void
}

/** Card and billing address. The address survives a reload, the card does not. */
export function CheckoutForm({ plan, demo, onPaid }: CheckoutFormProps) {
  const { card, address, errors, changeCard, changeAddress, payment, submit, fill } = useCheckout(plan, onPaid)
  return (
    <form noValidate aria-label="Checkout" onSubmit={submit} className="space-y-3">
      <Card className="space-y-3 p-5 max-md:p-4">
        <PaymentHeading />
        <CardFields
          values={card}
          errors={errors}
          set={(field, value) => changeCard({ [field]: value })}
          nameLabel="Name on card"
        />
      </Card>
      <Card className="space-y-3 p-5 max-md:p-4">
        <h2 className="text-base font-semibold">Billing address</h2>
        <BillingAddressFields values={address} errors={errors} change={changeAddress} />
      </Card>
      <div className="space-y-3 max-md:px-4">
        <Button type="submit" variant="primary" size="lg" block busy={payment.busy}>
          {payment.busy ? 'Processing...' : 'Complete Payment'}
        </Button>
        {demo ? (
          <TestAid>
            <Button size="sm" onClick={fill}>
              Fill Dummy Payment
            </Button>
          </TestAid>
        ) : null}
      </div>
      <AuthenticationDialog open={payment.asking} busy={payment.answering} onAnswer={payment.answer} />
    </form>
  )
}

function useCheckout(plan: SubscriptionPlan, onPaid: () => void) {
  const [card, setCard] = useState<CardValues>(blankCard)
  const persisted = usePersisted<BillingAddress>('billing-address', blankAddress)
  const [errors, setErrors] = useState<FieldErrors<CheckoutValues>>({})
  const correct = (patch: object) =>
    setErrors((current) => Object.fromEntries(Object.entries(current).filter(([field]) => !(field in patch))))
  const payment = useCardPayment({
    onPaid: () => {
      persisted.forget()
      toast({ title: 'Payment Successful', description: `Welcome to the ${plan.name}!` })
      onPaid()
    },
    onFailed: (error) => {
      setErrors(cardRefusal(error))
      toastFailure('Payment Failed', error, 'Unable to process payment')
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const values = { ...card, ...persisted.values }
    const fault = firstFault(values)
    setErrors(validateCheckout(values))
    if (fault) {
      toast({ ...fault, variant: 'destructive' })
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      return
    }
    const { name: nameOnCard, ...fields } = card
    payment.payForPlan(plan.id, { ...fields, nameOnCard, billingAddress: persisted.values })
  }
  return {
    card,
    address: persisted.values,
    errors,
    payment,
    submit,
    changeCard: (patch: Partial<CardValues>) => {
      setCard((current) => ({ ...current, ...patch }))
      correct(patch)
    },
    changeAddress: (patch: Partial<BillingAddress>) => {
      persisted.replace({ ...persisted.values, ...patch })
      correct(patch)
    },
    fill: () => {
      setCard(dummyCard)
      persisted.replace(dummyAddress)
      setErrors({})
      toast({ title: 'Dummy Payment Info Loaded', description: 'The form is filled with a test card' })
    },
  }
}
