import type { ReactNode } from 'react'
import { profileFieldMax } from '#shared/constants/onboarding.ts'
import { caProvinces, dealershipTypes, usStates } from '#shared/places.ts'
import type { FieldErrors } from '#client/ui/form-state.ts'
import { capitalize } from '#client/ui/format.ts'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { RadioGroup } from '#client/ui/radio-group.tsx'
import { Select } from '#client/ui/select.tsx'
import type { ProfileValues } from './profile-values.ts'

export interface ProfileFieldsProps {
  values: ProfileValues
  errors: FieldErrors<ProfileValues>
  change: (patch: Partial<ProfileValues>) => void
}

interface TextProps extends ProfileFieldsProps {
  field: keyof typeof profileFieldMax
  label: string
  autoComplete?: string
  type?: string
  className?: string
}

function Text({ values, errors, change, field, label, autoComplete, type = 'text', className = '' }: TextProps) {
  return (
    <Field label={label} error={errors[field]} required className={className}>
      <Input
        size="lg"
        type={type}
        autoComplete={autoComplete}
        maxLength={profileFieldMax[field]}
        value={values[field]}
        onChange={(event) => change({ [field]: event.target.value })}
      />
    </Field>
  )
}

const grid = 'grid grid-cols-2 gap-3 max-sm:grid-cols-1'
const stateOptions = (country: string) =>
  (country === 'CA' ? caProvinces : usStates).map((code) => ({ value: code, label: code }))
const countryOptions = [
  { value: 'US', label: 'United States' },
  { value: 'CA', label: 'Canada' },
] as const
const typeOptions = dealershipTypes.map((type) => ({ value: type, label: capitalize(type) }))

/** `email` renders the address field, because the address is saved separately from the profile. */
export function PersonFields({ email, ...props }: ProfileFieldsProps & { email: ReactNode }) {
  return (
    <div className={grid}>
      <Text {...props} field="firstName" label="First name" autoComplete="given-name" />
      <Text {...props} field="lastName" label="Last name" autoComplete="family-name" />
      {email}
      <Text {...props} field="phone" label="Phone" autoComplete="tel" type="tel" />
    </div>
  )
}

export function AddressFields(props: ProfileFieldsProps) {
  const { values, errors, change } = props
  const canada = values.country === 'CA'
  return (
    <div className={grid}>
      <Text {...props} field="address" label="Address" autoComplete="street-address" className="col-span-full" />
      <Text {...props} field="city" label="City" autoComplete="address-level2" />
      <Field label={canada ? 'Province' : 'State'} error={errors.state} required>
        <Select
          size="lg"
          value={values.state}
          onChange={(state) => change({ state })}
          options={stateOptions(values.country)}
          placeholder={canada ? 'Choose a province' : 'Choose a state'}
        />
      </Field>
      <Text {...props} field="zipCode" label={canada ? 'Postal code' : 'ZIP code'} autoComplete="postal-code" />
      <Field label="Country" error={errors.country} required>
        <Select
          size="lg"
          value={values.country}
          onChange={(country) => change({ country, state: '' })}
          options={countryOptions}
        />
      </Field>
    </div>
  )
}

export function DealershipFields(props: ProfileFieldsProps) {
  const { values, errors, change } = props
  return (
    <div className={grid}>
      <Text {...props} field="dealershipName" label="Dealership name" autoComplete="organization" />
      <Field label="Dealership type" error={errors.dealershipType} required>
        <Select
          size="lg"
          value={values.dealershipType}
          onChange={(dealershipType) => change({ dealershipType })}
          options={typeOptions}
          placeholder="Choose a type"
        />
      </Field>
      <Text {...props} field="auctionAccessNumber" label="Auction Access number" />
      <Text {...props} field="dealership5MilNumber" label="Dealership 5 Mil number" />
    </div>
  )
}

export function RoleFields({ values, change }: ProfileFieldsProps) {
  return (
    <div className="space-y-3">
      <p className="font-medium">I'm mostly a</p>
      <RadioGroup
        label="Profile type"
        value={values.profileType}
        onChange={(type) => change({ profileType: type === 'buyer' ? 'buyer' : 'seller' })}
        options={[
          { value: 'seller', label: 'Seller' },
          { value: 'buyer', label: 'Buyer' },
        ]}
      />
      {values.profileType === 'buyer' ? (
        <>
          <p className="font-medium">Do you buy Canadian vehicles?</p>
          <RadioGroup
            label="Do you buy Canadian vehicles?"
            value={values.buysCanadianVehicles ? 'yes' : 'no'}
            onChange={(answer) => change({ buysCanadianVehicles: answer === 'yes' })}
            options={[
              { value: 'yes', label: 'Yes' },
              { value: 'no', label: 'No' },
            ]}
          />
        </>
      ) : null}
    </div>
  )
}
