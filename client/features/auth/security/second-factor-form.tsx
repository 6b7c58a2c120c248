import KeyRound from 'lucide-react/icons/key-round'
import { useEffect, useRef, useState } from 'react'
import type { SecondFactors } from '#shared/schemas/auth.ts'
import { refusedField } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Input } from '#client/ui/input.tsx'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import { useCancelSignIn, useFinishSignIn } from './second-factor.api.ts'

export function SecondFactorForm({ factors }: { factors: SecondFactors }) {
  const finish = useFinishSignIn()
  const cancel = useCancelSignIn()
  const [recovering, setRecovering] = useState(!factors.app && !factors.passkey)
  const asksCode = recovering || factors.app
  return (
    <div className="m-auto w-92 max-w-full space-y-4 py-8">
      <div>
        <h1 className="text-lg font-semibold tracking-lg">One more step</h1>
        <p className="text-ink-2">This account requires a second factor, even after a password reset.</p>
      </div>
      {factors.appUnreadable ? (
        <InlineError
          title="Your app's codes no longer work"
          message="This server's keys changed. Use a recovery code or a passkey, then set up the app again in your settings."
        />
      ) : null}
      {asksCode ? <CodeForm key={String(recovering)} recovering={recovering} finish={finish} /> : null}
      {factors.passkey ? <PasskeyAnswer finish={finish} isFirst={!asksCode} /> : null}
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="ghost" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          Back to Login
        </Button>
        {factors.recovery && (factors.app || factors.passkey) ? (
          <Button variant="ghost" onClick={() => setRecovering(!recovering)}>
            {recovering ? 'Use your app or passkey instead' : 'Use a recovery code'}
          </Button>
        ) : null}
      </div>
      {factors.recovery ? null : (
        <p className="text-xs text-ink-2">
          You have no recovery codes left. If you've lost your app and all passkeys, ask an admin to reset your second
          factor.
        </p>
      )}
    </div>
  )
}

function welcome(): void {
  toast({ title: 'Login Successful', description: 'Welcome back!' })
}

type Finish = ReturnType<typeof useFinishSignIn>

function PasskeyAnswer({ finish, isFirst }: { finish: Finish; isFirst: boolean }) {
  return (
    <Button
      variant={isFirst ? 'primary' : 'secondary'}
      size="lg"
      block
      icon={<KeyRound size={16} aria-hidden="true" />}
      busy={(finish.isPending || finish.isSuccess) && finish.variables === 'passkey'}
      onClick={() =>
        finish.mutate('passkey', {
          onSuccess: welcome,
          onError: (error) => toastFailure('Login Failed', error, 'The passkey was not accepted'),
        })
      }
    >
      Use a passkey
    </Button>
  )
}

const kinds = {
  app: {
    label: 'App code',
    missing: 'Enter the six digits your app shows',
    hint: 'Six digits that change every 30 seconds',
  },
  recovery: { label: 'Recovery code', missing: 'Enter one of your recovery codes', hint: 'Each works once' },
}

function CodeForm({ recovering, finish }: { recovering: boolean; finish: Finish }) {
  const field = useRef<HTMLInputElement>(null)
  // Focus the field, because it replaces the pressed button, which had focus.
  useEffect(() => field.current?.focus(), [])
  const kind = kinds[recovering ? 'recovery' : 'app']
  const form = useFormState({
    initial: { code: '' },
    validate: ({ code }) => (code.trim() === '' ? { code: kind.missing } : {}),
    onSubmit: ({ code }) =>
      finish.mutate(
        { code: code.trim() },
        {
          onSuccess: welcome,
          onError: (error) => {
            const refused = refusedField(error, ['code'])
            form.setErrors(refused)
            if (refused.code === undefined) toastFailure('Login Failed', error, 'The code was not accepted')
          },
        },
      ),
  })
  const busy = (finish.isPending || finish.isSuccess) && finish.variables !== 'passkey'
  return (
    <form noValidate onSubmit={form.submit} className="space-y-3">
      <Field label={kind.label} error={form.errors.code} hint={kind.hint} required>
        <Input
          size="lg"
          className="num"
          ref={field}
          maxLength={60}
          autoComplete={recovering ? 'off' : 'one-time-code'}
          inputMode={recovering ? 'text' : 'numeric'}
          value={form.values.code}
          onChange={(event) => form.set('code', event.target.value)}
        />
      </Field>
      <Button type="submit" variant="primary" size="lg" block busy={busy}>
        {busy ? 'Signing in...' : 'Sign in'}
      </Button>
    </form>
  )
}
