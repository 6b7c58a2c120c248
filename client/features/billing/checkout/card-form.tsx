import CreditCard from 'lucide-react/icons/credit-card'
import Lock from 'lucide-react/icons/lock'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { type ReactNode, useEffect } from 'react'
import { ApiError, refusedField } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { type FieldErrors, useFormState } from '#client/ui/form-state.ts'
import { Input } from '#client/ui/input.tsx'
import { TestingBox } from '#client/ui/testing-box.tsx'
import { toast } from '#client/ui/toast-store.ts'
import type { PaymentInfo } from '#shared/schemas/billing.ts'
import type { CardPayment } from './use-card-payment.ts'

export interface CardValues {
  cardNumber: string
  expiryDate: string
  cvv: string
  name: string
}

export const blankCard: CardValues = { cardNumber: '', expiryDate: '', cvv: '', name: '' }

export const dummyCard: CardValues = {
  cardNumber: '4242 4242 4242 4242',
  expiryDate: '08 / 31',
  cvv: '123',
  name: 'Dana Torres',
}

function formatCardNumber(typed: string): string {
  return (
    typed
      .replace(/\D/g, '')
      .slice(0, 19)
      .match(/.{1,4}/g) ?? []
  ).join(' ')
}

/** Formats `0831` as `08 / 31`. Leaves the text unchanged while the user is deleting. */
function formatExpiry(typed: string, before: string): string {
  if (typed.length < before.length) return typed
  const digits = typed.replace(/\D/g, '').slice(0, 4)
  return digits.length < 3 ? digits : `${digits.slice(0, 2)} / ${digits.slice(2)}`
}

function blankCardFields(values: CardValues, message: (field: keyof CardValues) => string): FieldErrors<CardValues> {
  const order = ['cardNumber', 'expiryDate', 'cvv', 'name'] as const
  const blank = order.filter((field) => values[field].trim() === '')
  return Object.fromEntries(blank.map((field) => [field, message(field)]))
}

/** Returns an error for the field that the server named, or for the card number if the card was declined. */
export function cardRefusal(error: Error): FieldErrors<CardValues> {
  const { nameOnCard, ...named } = refusedField(error, ['cardNumber', 'expiryDate', 'cvv', 'nameOnCard'])
  if (nameOnCard) return { name: nameOnCard }
  return error instanceof ApiError && error.status === declined ? { cardNumber: error.reason } : named
}

/** 402 Payment Required. */
const declined = 402

interface CardFieldsProps {
  values: CardValues
  errors: FieldErrors<CardValues>
  set: (field: keyof CardValues, value: string) => void
  nameLabel: string
}

/** Card fields for the simulated payment provider. They do not store card data. */
export function CardFields({ values, errors, set, nameLabel }: CardFieldsProps) {
  return (
    <div className="space-y-3">
      <Field label="Card number" error={errors.cardNumber} required>
        <Input
          size="lg"
          inputMode="numeric"
          autoComplete="cc-number"
          className="num"
          trailing={<CreditCard size={18} aria-hidden="true" />}
          value={values.cardNumber}
          onChange={(event) => set('cardNumber', formatCardNumber(event.target.value))}
        />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Expiry date" error={errors.expiryDate} required>
          <Input
            size="lg"
            inputMode="numeric"
            autoComplete="cc-exp"
            placeholder="MM / YY"
            className="num"
            value={values.expiryDate}
            onChange={(event) => set('expiryDate', formatExpiry(event.target.value, values.expiryDate))}
          />
        </Field>
        <Field label="CVV" error={errors.cvv} required>
          <Input
            size="lg"
            inputMode="numeric"
            autoComplete="cc-csc"
            maxLength={4}
            className="num"
            value={values.cvv}
            onChange={(event) => set('cvv', event.target.value.replace(/\D/g, ''))}
          />
        </Field>
      </div>
      <Field label={nameLabel} error={errors.name} required>
        <Input
          size="lg"
          autoComplete="cc-name"
          value={values.name}
          onChange={(event) => set('name', event.target.value)}
        />
      </Field>
    </div>
  )
}

const missing = 'Please fill in all payment fields'

interface CardPaymentFormProps {
  what?: 'payment' | 'card'
  payment: CardPayment
  label: string
  demo: boolean
  onCard: (card: PaymentInfo) => void
  heading?: ReactNode
}

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
        {demo ? <DummyPayment onFill={fill} /> : null}
      </form>
      <AuthenticationDialog what={what} open={payment.asking} busy={payment.answering} onAnswer={payment.answer} />
    </>
  )
}

export function DummyPayment({ onFill }: { onFill: () => void }) {
  return (
    <TestingBox>
      <Button size="sm" onClick={onFill}>
        Fill Dummy Payment
      </Button>
    </TestingBox>
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

const questions = {
  payment: { title: 'Confirm this payment', approve: 'Approve payment' },
  card: { title: 'Confirm this card', approve: 'Approve card' },
}

interface AuthenticationDialogProps {
  what?: keyof typeof questions
  open: boolean
  busy: boolean
  onAnswer: (approve: boolean) => void
}

export function AuthenticationDialog({ what = 'payment', open, busy, onAnswer }: AuthenticationDialogProps) {
  return (
    <Dialog
      compact
      open={open}
      onOpenChange={(stays) => !stays && !busy && onAnswer(false)}
      title={questions[what].title}
      description="Your bank needs to confirm it's you. Nothing is charged until you approve."
      footer={
        <>
          <Button disabled={busy} onClick={() => onAnswer(false)}>
            Decline
          </Button>
          <Button variant="primary" busy={busy} onClick={() => onAnswer(true)}>
            {questions[what].approve}
          </Button>
        </>
      }
    >
      <p className="flex items-center gap-2 rounded-md bg-sunken p-3 text-ink-2">
        <ShieldCheck size={16} aria-hidden="true" className="text-accent-ink" />
        Test bank: this step replaces 3-D Secure on a demo server.
      </p>
    </Dialog>
  )
}
