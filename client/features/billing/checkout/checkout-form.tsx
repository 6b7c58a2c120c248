import { type FormEvent, useState } from 'react'
import { useKeptFormState } from '#client/lib/storage/kept-forms.ts'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { Field } from '#client/ui/field.tsx'
import { type FieldErrors, useRefusal } from '#client/ui/form-state.ts'
import { Input } from '#client/ui/input.tsx'
import { Select } from '#client/ui/select.tsx'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import { caProvinces, usStates } from '#shared/places.ts'
import type { BillingAddress, SubscriptionPlan } from '#shared/schemas/billing.ts'
import { firstBlank } from '#shared/constants/onboarding.ts'
import {
  AuthenticationDialog,
  blankCard,
  CardFields,
  cardRefusal,
  type CardValues,
  dummyCard,
  DummyPayment,
  PaymentHeading,
} from './card-form.tsx'
import { useCardPayment } from './use-card-payment.ts'

type CheckoutValues = CardValues & BillingAddress

const blankAddress: BillingAddress = { address: '', city: '', state: '', zipCode: '', country: 'US' }

const dummyAddress: BillingAddress = {
  address: '4100 Harry Hines Blvd',
  city: 'Dallas',
  state: 'TX',
  zipCode: '75219',
  country: 'US',
}

const cardFields = [
  ['cardNumber', 'card number'],
  ['expiryDate', 'expiry date'],
  ['cvv', 'cvv'],
  ['name', 'name on card'],
] as const
const addressFields = [
  ['address', 'address'],
  ['city', 'city'],
  ['state', 'state'],
  ['zipCode', 'zip code'],
] as const
const canadian: Partial<Record<keyof BillingAddress, string>> = { state: 'province', zipCode: 'postal code' }

const addressFieldsOf = ({ country }: BillingAddress) =>
  addressFields.map(([field, words]) => [field, country === 'CA' ? (canadian[field] ?? words) : words] as const)

function validateCheckout(values: CheckoutValues): FieldErrors<CheckoutValues> {
  const blank = (field: keyof CheckoutValues) => values[field].trim() === ''
  const card = cardFields.filter(([field]) => blank(field)).map(([field, words]) => [field, `Please fill in ${words}`])
  const address = addressFieldsOf(values)
    .filter(([field]) => blank(field))
    .map(([field, words]) => [field, `Please fill in billing ${words}`])
  return Object.fromEntries([...card, ...address])
}

/** Returns the toast for the first blank field. Address fields come after card fields and have a different title. */
function firstFault(values: CheckoutValues): { title: string; description: string } | undefined {
  const card = firstBlank(cardFields, values)
  if (card) return { title: 'Missing Information', description: `Please fill in ${card.words}` }
  const address = firstBlank(addressFieldsOf(values), values)
  return address && { title: 'Missing Billing Information', description: `Please fill in billing ${address.words}` }
}

interface CheckoutFormProps {
  plan: SubscriptionPlan
  demo: boolean
  onPaid: () => void
}

/** Only the address survives a reload, because card data is not stored. */
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
        {demo ? <DummyPayment onFill={fill} /> : null}
      </div>
      <AuthenticationDialog open={payment.asking} busy={payment.answering} onAnswer={payment.answer} />
    </form>
  )
}

function useCheckout(plan: SubscriptionPlan, onPaid: () => void) {
  const [card, setCard] = useState<CardValues>(blankCard)
  const persisted = useKeptFormState<BillingAddress>('billing-address', blankAddress)
  const [errors, setErrors] = useState<FieldErrors<CheckoutValues>>({})
  const focusWrong = useRefusal()
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
    const values = { ...card, ...persisted.values }
    const fault = firstFault(values)
    setErrors(validateCheckout(values))
    if (fault) {
      toast({ ...fault, variant: 'destructive' })
      focusWrong(event.currentTarget)
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

interface BillingAddressFieldsProps {
  values: BillingAddress
  errors: FieldErrors<BillingAddress>
  change: (patch: Partial<BillingAddress>) => void
}

function BillingAddressFields({ values, errors, change }: BillingAddressFieldsProps) {
  const canada = values.country === 'CA'
  const text = (field: 'address' | 'city' | 'zipCode', label: string, autoComplete: string, className = '') => (
    <Field label={label} error={errors[field]} required className={className}>
      <Input
        size="lg"
        autoComplete={`billing ${autoComplete}`}
        value={values[field]}
        onChange={(event) => change({ [field]: event.target.value })}
      />
    </Field>
  )
  return (
    <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
      {text('address', 'Address', 'street-address', 'col-span-full')}
      {text('city', 'City', 'address-level2')}
      <Field label={canada ? 'Province' : 'State'} error={errors.state} required>
        <Select
          size="lg"
          value={values.state}
          onChange={(state) => change({ state })}
          options={(canada ? caProvinces : usStates).map((code) => ({ value: code, label: code }))}
          placeholder={canada ? 'Choose a province' : 'Choose a state'}
        />
      </Field>
      {text('zipCode', canada ? 'Postal code' : 'ZIP code', 'postal-code')}
      <Field label="Country" error={errors.country} required>
        <Select
          size="lg"
          value={values.country}
          onChange={(country) => change({ country, state: '' })}
          options={[
            { value: 'US', label: 'United States' },
            { value: 'CA', label: 'Canada' },
          ]}
        />
      </Field>
    </div>
  )
}
