import CircleCheck from 'lucide-react/icons/circle-check'
import KeyRound from 'lucide-react/icons/key-round'
import Mail from 'lucide-react/icons/mail'
import { useState } from 'react'
import type { AccountSecurity } from '#shared/schemas/account.ts'
import type { Proof } from '#shared/schemas/auth.ts'
import { reasonOf } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { rememberWantedPath } from '#client/lib/session/path-after-sign-in.ts'
import { GoogleButton } from '../google-button.tsx'
import { provePasskey, useMailProof } from './second-factor.api.ts'

type Known = Pick<AccountSecurity, 'hasPassword' | 'secondFactor' | 'googleLinked' | 'proven' | 'email'>

export const hasSecondFactor = ({ secondFactor }: Pick<AccountSecurity, 'secondFactor'>): boolean =>
  secondFactor.app !== 'off' || secondFactor.passkeys.length > 0

export function missingProof(security: Known, { password = '', code = '', passkey }: Proof): string | undefined {
  if (security.hasPassword) return password === '' ? 'Please enter your password' : undefined
  if (!hasSecondFactor(security)) return security.proven ? undefined : 'Confirm in one of these ways first'
  if (passkey !== undefined) return undefined
  return code.trim() === '' ? 'Enter a code, or use a passkey' : undefined
}

interface ProofFieldsProps {
  security: Known
  proof: Proof
  error: string | undefined
  onChange: (proof: Proof) => void
}

/** Asks for the password, otherwise for the second factor. If the account has neither, offers Google or an emailed link. */
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
  if (!hasSecondFactor(security)) return <SessionProof security={security} error={error} />
  return (
    <div className="space-y-3">
      <Field label="App code or recovery code" error={error} required>
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
        Passkey confirmed
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

/** Shown if the account has neither a password nor a second factor: a recent sign-in with Google or an emailed link is the proof. */
function SessionProof({ security, error }: Pick<ProofFieldsProps, 'security' | 'error'>) {
  const mail = useMailProof()
  if (security.proven)
    return (
      <p role="status" className="flex items-center gap-2 text-success-ink">
        <CircleCheck size={16} aria-hidden="true" />
        You confirmed your identity recently, so no further proof is needed
      </p>
    )
  const { pathname } = window.location
  return (
    <div className="space-y-3">
      {security.googleLinked ? <GoogleButton onClick={() => rememberWantedPath(pathname)} /> : null}
      <Button block icon={<Mail size={16} aria-hidden="true" />} busy={mail.isPending} onClick={() => mail.mutate()}>
        Email me a link
      </Button>
      {mail.isSuccess ? (
        <p role="status" className="text-ink-2">
          Open the link sent to {security.email} in this browser, then come back to this tab.
        </p>
      ) : null}
      {error ? (
        <p role="alert" className="text-xs text-danger-ink">
          {error}
        </p>
      ) : null}
    </div>
  )
}
