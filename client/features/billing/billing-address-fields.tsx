import { caProvinces, usStates } from '#shared/places.ts'
import type { BillingAddress } from '#shared/schemas/billing.ts'
import { Field } from '#client/ui/field.tsx'
import type { FieldErrors } from '#client/ui/form-state.ts'
import { Input } from '#client/ui/input.tsx'
import { Select } from '#client/ui/select.tsx'

interface BillingAddressFieldsProps {
  values: BillingAddress
  errors: FieldErrors<BillingAddress>
  change: (patch: Partial<BillingAddress>) => void
}

export function BillingAddressFields({ values, errors, change }: BillingAddressFieldsProps) {
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
          onChange={(country) => change({ country: country === 'CA' ? 'CA' : 'US', state: '' })}
          options={[
            { value: 'US', label: 'United States' },
            { value: 'CA', label: 'Canada' },
          ]}
        />
      </Field>
    </div>
  )
}
