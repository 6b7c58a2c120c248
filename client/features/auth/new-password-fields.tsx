import { passwordMin } from '#shared/constants/auth.ts'
import type { FieldErrors } from '#client/ui/form-state.ts'
import { PasswordField } from '#client/ui/password-field.tsx'
import { toast } from '#client/ui/toast-store.ts'

export interface NewPassword {
  password: string
  confirm: string
}

const missing = 'Please fill in all required fields'
const mismatch = 'Passwords do not match'

export function validateNewPassword({ password, confirm }: NewPassword): FieldErrors<NewPassword> {
  const blank = { ...(!password && { password: missing }), ...(!confirm && { confirm: missing }) }
  if (Object.keys(blank).length > 0) return blank
  return password === confirm ? {} : { confirm: mismatch }
}

export function toastPasswordErrors(errors: FieldErrors<NewPassword>): void {
  if (errors.confirm === mismatch) toast({ title: 'Password Mismatch', description: mismatch, variant: 'destructive' })
  else toast({ title: 'Missing Information', description: missing, variant: 'destructive' })
}

interface NewPasswordFieldsProps {
  values: NewPassword
  errors: FieldErrors<NewPassword>
  set: (field: keyof NewPassword, value: string) => void
}

export function NewPasswordFields({ values, errors, set }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label="New password"
        kind="new"
        size="lg"
        hint={`At least ${passwordMin} characters`}
        error={errors.password}
        value={values.password}
        onChange={(value) => set('password', value)}
      />
      <PasswordField
        label="Confirm new password"
        kind="new"
        size="lg"
        error={errors.confirm}
        value={values.confirm}
        onChange={(value) => set('confirm', value)}
      />
    </>
  )
}
