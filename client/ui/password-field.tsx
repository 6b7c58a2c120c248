import { type ReactNode } from 'react'
import { Field } from './field.tsx'
import { Input } from './input.tsx'

interface PasswordFieldProps {
  label: string
  /** What a password manager may do: fill in the one it knows, or suggest one. */
  kind: 'current' | 'new'
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  hint?: ReactNode
  size?: 'lg'
}

/** A required password; what is typed is never shown. Its value is in NFC: keyboards write é as one sign or as two. */
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
