import { passwordMin } from '#shared/constants/auth.ts'
import { emailMax, isEmail } from '#shared/email.ts'
import { reasonOf, refusedField } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { type FieldErrors, useFormState } from '#client/ui/form-state.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Input } from '#client/ui/input.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { useSetup } from './auth.api.ts'

interface FirstAdmin {
  token: string
  name: string
  dealershipName: string
  email: string
  password: string
  confirm: string
}

const asked = {
  token: 'Enter the token from the server log',
  name: 'Enter your name',
  dealershipName: 'Enter the name of your dealership or network',
  password: 'Choose a password',
}

function validate(values: FirstAdmin): FieldErrors<FirstAdmin> {
  const blank = Object.fromEntries(
    Object.entries(asked).filter(([field]) => values[field as keyof typeof asked].trim() === ''),
  )
  return {
    ...blank,
    ...(!isEmail(values.email.trim()) && { email: 'Enter an email address' }),
    ...(values.password !== '' &&
      values.password.length < passwordMin && { password: `At least ${passwordMin} characters` }),
    ...(values.password !== values.confirm && { confirm: 'Passwords do not match' }),
  }
}

/** Creates the first admin. `token` comes from the link in the server's log, or the user types it. */
export function SetupForm({ token }: { token: string }) {
  const setup = useSetup()
  const form = useFormState<FirstAdmin>({
    initial: { token, name: '', dealershipName: '', email: '', password: '', confirm: '' },
    validate,
    onSubmit: ({ confirm: _confirm, email, ...values }) =>
      setup.mutate(
        { ...values, email: email.trim() },
        {
          onSuccess: ({ user }) => toast({ title: 'Network Set Up', description: `${user.name} is its first admin` }),
          onError: (error) =>
            form.setErrors(refusedField(error, ['token', 'name', 'dealershipName', 'email', 'password'])),
        },
      ),
  })
  const text = (field: 'token' | 'name' | 'dealershipName' | 'email', more: object) => (
    <Input size="lg" value={form.values[field]} onChange={(event) => form.set(field, event.target.value)} {...more} />
  )
  return (
    <form noValidate onSubmit={form.submit} className="space-y-3" aria-label="First admin">
      {setup.isError ? <InlineError title="The network could not be set up" message={reasonOf(setup.error)} /> : null}
      <Field
        label="Token"
        required
        error={form.errors.token}
        hint="The server prints it at startup until there is an admin."
      >
        {text('token', { maxLength: 100, autoComplete: 'off', spellCheck: false, className: 'font-mono' })}
      </Field>
      <Field label="Your name" required error={form.errors.name}>
        {text('name', { maxLength: 120, autoComplete: 'name' })}
      </Field>
      <Field label="Dealership or network" required error={form.errors.dealershipName}>
        {text('dealershipName', { maxLength: 160, autoComplete: 'organization' })}
      </Field>
      <Field label="Email" required error={form.errors.email}>
        {text('email', { type: 'email', maxLength: emailMax, autoComplete: 'email' })}
      </Field>
      <PasswordField
        label="Password"
        kind="new"
        size="lg"
        hint={`At least ${passwordMin} characters`}
        error={form.errors.password}
        value={form.values.password}
        onChange={(value) => form.set('password', value)}
      />
      <PasswordField
        label="Confirm password"
        kind="new"
        size="lg"
        error={form.errors.confirm}
        value={form.values.confirm}
        onChange={(value) => form.set('confirm', value)}
      />
      <Button type="submit" variant="primary" size="lg" block busy={setup.isPending || setup.isSuccess}>
        {setup.isPending || setup.isSuccess ? 'Setting up...' : 'Create the first admin'}
      </Button>
    </form>
  )
}
