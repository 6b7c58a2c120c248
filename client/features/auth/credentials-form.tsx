import { passwordMin } from '#shared/constants/auth.ts'
import type { AuthStatus } from '#shared/schemas/auth.ts'
import { refusedField } from '#client/lib/http/api.ts'
import { useKeptFormState } from '#client/lib/storage/kept-forms.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { useFormState, type FieldErrors } from '#client/ui/form-state.ts'
import { Input } from '#client/ui/input.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import { isSignedIn, useLogin, useSignup } from './auth.api.ts'

export type AuthMode = 'login' | 'signup'

const missing = 'Please fill in all required fields'
const mismatch = 'Passwords do not match'

interface Credentials {
  email: string
  password: string
  confirm: string
}

function validate(mode: AuthMode, { email, password, confirm }: Credentials): FieldErrors<Credentials> {
  const blank: FieldErrors<Credentials> = {
    ...(!email.trim() && { email: missing }),
    ...(!password && { password: missing }),
    ...(mode === 'signup' && !confirm && { confirm: missing }),
  }
  if (Object.keys(blank).length > 0) return blank
  return mode === 'signup' && password !== confirm ? { confirm: mismatch } : {}
}

function toastErrors(errors: FieldErrors<Credentials>) {
  const [title, description] =
    errors.confirm === mismatch ? ['Password Mismatch', mismatch] : ['Missing Information', missing]
  toast({ title, description, variant: 'destructive' })
}

export function CredentialsForm({ mode, sample }: { mode: AuthMode; sample: AuthStatus['sampleLogin'] }) {
  const persisted = useKeptFormState('sign-in', { email: sample?.email ?? '' })
  const submit = useSubmit(mode, persisted.forget)
  const form = useFormState<Credentials>({
    initial: { email: persisted.values.email, password: sample?.password ?? '', confirm: '' },
    validate: (values) => validate(mode, values),
    onSubmit: (values) => submit.send(values, (error) => form.setErrors(refusedField(error, ['email', 'password']))),
    onInvalid: toastErrors,
  })
  const { busy } = submit
  return (
    <form noValidate onSubmit={form.submit} className="space-y-3">
      <Field label="Email" error={form.errors.email} required>
        <Input
          size="lg"
          type="email"
          autoComplete="email"
          value={form.values.email}
          onChange={(event) => {
            form.set('email', event.target.value)
            persisted.set('email', event.target.value)
          }}
        />
      </Field>
      <PasswordField
        label="Password"
        kind={mode === 'login' ? 'current' : 'new'}
        size="lg"
        hint={mode === 'signup' ? `At least ${passwordMin} characters` : undefined}
        error={form.errors.password}
        value={form.values.password}
        onChange={(value) => form.set('password', value)}
      />
      {mode === 'signup' ? (
        <PasswordField
          label="Confirm password"
          kind="new"
          size="lg"
          error={form.errors.confirm}
          value={form.values.confirm}
          onChange={(value) => form.set('confirm', value)}
        />
      ) : null}
      <Button type="submit" variant="primary" size="lg" block busy={busy} className="mt-4">
        {busy ? submits[mode].busy : submits[mode].idle}
      </Button>
    </form>
  )
}

const submits = {
  login: { idle: 'Login', busy: 'Signing in...' },
  signup: { idle: 'Sign Up', busy: 'Creating account...' },
}

const fail = (title: string, fallback: string) => (error: Error) => toastFailure(title, error, fallback)

/** The form stays busy until the next screen appears. */
function useSubmit(mode: AuthMode, done: () => void) {
  const login = useLogin()
  const signup = useSignup()
  const send = ({ email, password }: Credentials, refuse: (error: Error) => void) => {
    const input = { email: email.trim(), password }
    if (mode === 'login') {
      login.mutate(input, {
        onSuccess: (answer) => {
          done()
          if (isSignedIn(answer)) toast({ title: 'Login Successful', description: 'Welcome back!' })
        },
        onError: fail('Login Failed', 'Invalid email or password'),
      })
      return
    }
    signup.mutate(input, {
      onSuccess: () => {
        done()
        toast({ title: 'Account Created', description: 'Please complete your dealer profile' })
      },
      onError: (error) => {
        refuse(error)
        fail('Signup Failed', 'Failed to create account')(error)
      },
    })
  }
  return { send, busy: login.isPending || login.isSuccess || signup.isPending || signup.isSuccess }
}
