import { type ReactNode } from 'react'
import { Field } from './field.tsx'
import { Input } from './input.tsx'

interface PasswordFieldProps {
  label: string
  /** For `current`, password managers fill in the saved password. For `new`, they suggest one. */
  kind: 'current' | 'new'
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  hint?: ReactNode
  size?: 'lg'
}

/** A password field. Normalizes its value to NFC, because some keyboards enter é as one code point and others as two. */
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
