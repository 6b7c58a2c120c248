import { emailMax, isEmail } from '#shared/email.ts'
import type { NewAdminUser } from '#shared/schemas/admin.ts'
import { dealershipTypes } from '#shared/places.ts'
import { dealerRoles } from '#shared/constants/dealers.ts'
import { Field } from '#client/ui/field.tsx'
import type { FieldErrors } from '#client/ui/form-state.ts'
import { capitalize } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import { Select } from '#client/ui/select.tsx'

type UserChange = { [Key in keyof NewAdminUser]: [key: Key, value: NewAdminUser[Key]] }[keyof NewAdminUser]

interface UserFieldsProps {
  values: NewAdminUser
  errors: FieldErrors<NewAdminUser>
  set: (...change: UserChange) => void
  emailHint?: string | undefined
}

const options = <Value extends string>(words: readonly Value[]) =>
  words.map((value) => ({ value, label: capitalize(value) }))

export function invalidUser({ name, email }: Pick<NewAdminUser, 'name' | 'email'>) {
  return {
    ...(name.trim() === '' && { name: 'Name is required' }),
    ...(!isEmail(email.trim()) && { email: 'Enter an email address' }),
  }
}

export function UserFields({ values, errors, set, emailHint }: UserFieldsProps) {
  return (
    <>
      <Field label="Name" required error={errors.name}>
        <Input value={values.name} maxLength={120} onChange={(event) => set('name', event.target.value)} />
      </Field>
      <Field label="Email" required error={errors.email} hint={emailHint}>
        <Input
          type="email"
          maxLength={emailMax}
          value={values.email}
          onChange={(event) => set('email', event.target.value)}
        />
      </Field>
      <Field label="Dealership">
        <Input
          value={values.dealershipName}
          maxLength={160}
          onChange={(event) => set('dealershipName', event.target.value)}
        />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Dealership type">
          <Select
            value={values.dealershipType}
            onChange={(value) => set('dealershipType', value)}
            options={options(dealershipTypes)}
          />
        </Field>
        <Field
          label="Role"
          hint={values.role === 'dealer' ? undefined : 'Staff roles see screens that dealers do not.'}
        >
          <Select value={values.role} onChange={(value) => set('role', value)} options={options(dealerRoles)} />
        </Field>
      </div>
    </>
  )
}
