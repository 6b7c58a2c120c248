import { type ReactNode } from 'react'
import { Field } from './field.tsx'
import { Input } from './input.tsx'

interface PasswordFieldProps {
  label: string
  /** `current` lets password managers fill in the known password; `new` lets them suggest one. */
  kind: 'current' | 'new'
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  hint?: ReactNode
  size?: 'lg'
}

/** A required password field. Its value is normalized to NFC, because keyboards type é as one or two code points. */
export function PasswordField({ label, kind, value, onChange, error, hint, size }: PasswordFieldProps) {
  return (
    <Field label={label} error={error} hint={hint} required>
      <Input
        {...(size && { size })}
        type="password"
        autoComplete={`${kind}-password`}
        value={value}
        onChange={(event) => onChange(event.target.value.normalize('NFC'))}
      />
    </Field>
  )
}
