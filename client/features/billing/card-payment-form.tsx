import { type ReactNode, useEffect } from 'react'
import type { PaymentInfo } from '#shared/schemas/billing.ts'
import { Button } from '#client/ui/button.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { TestAid } from '#client/ui/test-aid.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { AuthenticationDialog } from './authentication-dialog.tsx'
import { CardFields } from './card-fields.tsx'
import { blankCard, blankCardFields, cardRefusal, dummyCard } from './card-values.ts'
import type { CardPayment } from './use-card-payment.ts'

const missing = 'Please fill in all payment fields'

interface CardPaymentFormProps {
  /** What the bank may ask about. */
  what?: 'payment' | 'card'
  payment: CardPayment
  label: string
  /** Test aids are allowed. */
  demo: boolean
  onCard: (card: PaymentInfo) => void
  heading?: ReactNode
}

/** Our own card form with the bank's question after it. */
export function CardPaymentForm({ what = 'payment', payment, label, demo, onCard, heading }: CardPaymentFormProps) {
  const form = useFormState({
    initial: blankCard,
    validate: (values) => blankCardFields(values, () => missing),
    onInvalid: () => toast({ title: 'Missing Information', description: missing, variant: 'destructive' }),
    onSubmit: ({ name, ...card }) => onCard({ ...card, cardholderName: name }),
  })
  const { setErrors } = form
  useEffect(() => {
    if (payment.refused) setErrors(cardRefusal(payment.refused))
  }, [payment.refused, setErrors])
  const fill = () => {
    form.setValues(dummyCard)
    setErrors({})
    toast({ title: 'Dummy Payment Info Loaded', description: 'The form is filled with a test card' })
  }
  return (
    <>
      <form noValidate aria-label="Card payment" onSubmit={form.submit} className="space-y-3">
        {heading}
        <CardFields values={form.values} errors={form.errors} set={form.set} nameLabel="Cardholder name" />
        <Button type="submit" variant="primary" size="lg" block busy={payment.busy} className="mt-4">
          {payment.busy ? 'Processing...' : label}
        </Button>
        {demo ? (
          <TestAid>
            <Button size="sm" onClick={fill}>
              Fill Dummy Payment
            </Button>
          </TestAid>
        ) : null}
      </form>
      <AuthenticationDialog what={what} open={payment.asking} busy={payment.answering} onAnswer={payment.answer} />
    </>
  )
}
