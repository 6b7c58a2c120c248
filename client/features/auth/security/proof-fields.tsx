import { CircleCheck, KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { AccountSecurity } from '#shared/schemas/account.ts'
import type { Proof } from '#shared/schemas/auth.ts'
import { reasonOf } from '#client/lib/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { provePasskey } from './second-factor.api.ts'

type Known = Pick<AccountSecurity, 'hasPassword' | 'secondFactor'>

export const hasSecondFactor = ({ secondFactor }: Pick<AccountSecurity, 'secondFactor'>): boolean =>
  secondFactor.app !== 'off' || secondFactor.passkeys.length > 0

/** What is missing from the proof, as a message. */
export function missingProof(security: Known, { password = '', code = '', passkey }: Proof): string | undefined {
  if (security.hasPassword) return password === '' ? 'Please enter your password' : undefined
  if (!hasSecondFactor(security) || passkey !== undefined) return undefined
  return code.trim() === '' ? 'Enter a code, or use a passkey' : undefined
}

interface ProofFieldsProps {
  security: Known
  proof: Proof
  error: string | undefined
  onChange: (proof: Proof) => void
}

/** Asks for the password, or for the second factor of an account without one. Nothing where it has neither. */
export function ProofFields({ security, proof, error, onChange }: ProofFieldsProps) {
  if (security.hasPassword)
    return (
      <PasswordField
        label="Your password"
        kind="current"
        error={error}
        value={proof.password ?? ''}
        onChange={(password) => onChange({ password })}
      />
    )
  if (!hasSecondFactor(security)) return null
  return (
    <div className="space-y-3">
      <Field label="Code of your app, or a recovery code" error={error} required>
        <Input
          className="num"
          maxLength={60}
          autoComplete="one-time-code"
          value={proof.code ?? ''}
          onChange={(event) => onChange({ code: event.target.value })}
        />
      </Field>
      {security.secondFactor.passkeys.length > 0 ? <PasskeyProof proof={proof} onChange={onChange} /> : null}
    </div>
  )
}

function PasskeyProof({ proof, onChange }: Pick<ProofFieldsProps, 'proof' | 'onChange'>) {
  const [fault, setFault] = useState<string>()
  if (proof.passkey !== undefined)
    return (
      <p role="status" className="flex items-center gap-2 text-success-ink">
        <CircleCheck size={16} aria-hidden="true" />
        Your passkey has signed
      </p>
    )
  const ask = () => {
    setFault(undefined)
    provePasskey().then(onChange, (error: unknown) => setFault(reasonOf(error)))
  }
  return (
    <>
      <Button icon={<KeyRound size={16} aria-hidden="true" />} onClick={ask}>
        Use a passkey instead
      </Button>
      {fault ? (
        <p role="alert" className="text-xs text-danger-ink">
          {fault}
        </p>
      ) : null}
    </>
  )
}
