import { useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { emailMax, isEmail, isSameEmail } from '#shared/email.ts'
import { useCorrectEmail } from './onboarding.api.ts'

export function useEmailCorrection(email: string) {
  const correct = useCorrectEmail()
  const [typed, setTyped] = useState<string>()
  const [error, setError] = useState<string>()
  const value = typed ?? email
  const isChanged = typed !== undefined && !isSameEmail(typed.trim(), email)
  const save = async (): Promise<boolean> => {
    if (!isChanged) return true
    const wanted = typed.trim()
    if (!isEmail(wanted)) {
      setError('Please enter an email address')
      return false
    }
    try {
      await correct.mutateAsync(wanted)
    } catch (refused) {
      setError(reasonOf(refused))
      return false
    }
    setTyped((now) => (now === typed ? undefined : now))
    toast({ title: 'Email changed', description: `Open the link sent to ${wanted}` })
    return true
  }
  const change = (text: string) => {
    setTyped(text)
    setError(undefined)
  }
  return { value, isChanged, error, change, save, busy: correct.isPending }
}

export type EmailCorrection = ReturnType<typeof useEmailCorrection>

interface SignInEmailProps {
  email: string
  /** Undefined if the address is confirmed. */
  correction: EmailCorrection | undefined
  onChangeEmail: () => void
}

/** The address can be edited in place until it is confirmed. */
export function SignInEmail({ email, correction, onChangeEmail }: SignInEmailProps) {
  if (correction)
    return (
      <Field
        label="Email"
        required
        error={correction.error}
        hint={
          correction.isChanged
            ? 'We send a new link to this address. The link sent before stops working.'
            : 'You sign in with this email. Open the link we sent to confirm it.'
        }
      >
        <div className="flex gap-2">
          <Input
            size="lg"
            type="email"
            autoComplete="email"
            maxLength={emailMax}
            value={correction.value}
            onChange={(event) => correction.change(event.target.value)}
          />
          {correction.isChanged ? (
            <Button size="lg" busy={correction.busy} onClick={() => void correction.save()}>
              Save email
            </Button>
          ) : null}
        </div>
      </Field>
    )
  return (
    <Field
      label="Email"
      hint="You sign in with this email. A new address takes effect after you open the link we send."
    >
      <div className="flex gap-2">
        <Input size="lg" type="email" readOnly value={email} className="read-only:bg-sunken" />
        <Button size="lg" aria-label="Change the address you sign in with" onClick={onChangeEmail}>
          Change
        </Button>
      </div>
    </Field>
  )
}
