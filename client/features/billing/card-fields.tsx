import { CreditCard } from 'lucide-react'
import { Field } from '#client/ui/field.tsx'
import type { FieldErrors } from '#client/ui/form-state.ts'
import { Input } from '#client/ui/input.tsx'
import { formatCardNumber, formatExpiry, type CardValues } from './card-values.ts'

interface CardFieldsProps {
  values: CardValues
  errors: FieldErrors<CardValues>
  set: (field: keyof CardValues, value: string) => void
  nameLabel: string
}

/** Our own card form, for the local stand-in of the payment provider only. Nothing of it is kept anywhere. */
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
