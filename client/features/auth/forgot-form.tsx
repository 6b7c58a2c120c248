import MailCheck from 'lucide-react/icons/mail-check'
import { isEmail } from '#shared/email.ts'
import { Button } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { Input } from '#client/ui/input.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { useForgotPassword } from './auth.api.ts'

const missing = 'Please fill in all required fields'

/** Requests a password reset link. The response does not reveal whether the account exists. */
export function ForgotForm() {
  const forgot = useForgotPassword()
  const form = useFormState({
    initial: { email: '' },
    validate: ({ email }) => {
      if (email.trim() === '') return { email: missing }
      return isEmail(email.trim()) ? {} : { email: 'Please enter a valid email address' }
    },
    onSubmit: ({ email }) => forgot.mutate(email.trim()),
    onInvalid: ({ email }) => {
      if (email === missing) toast({ title: 'Missing Information', description: missing, variant: 'destructive' })
    },
  })
  if (forgot.isSuccess) {
    return (
      <EmptyState
        level={1}
        icon={<MailCheck size={24} />}
        title="Check your email"
        hint={`If ${form.values.email.trim()} has an account, a password reset link is on its way. The link works for one hour.`}
      />
    )
  }
  return (
    <form noValidate onSubmit={form.submit} className="space-y-3">
      <div className="mb-4">
        <h1 className="text-lg font-semibold tracking-lg">Forgot your password?</h1>
        <p className="text-ink-2">We'll email you a link to set a new one.</p>
      </div>
      <Field label="Email" error={form.errors.email} required>
        <Input
          size="lg"
          type="email"
          autoComplete="email"
          value={form.values.email}
          onChange={(event) => form.set('email', event.target.value)}
        />
      </Field>
      <Button type="submit" variant="primary" size="lg" block busy={forgot.isPending}>
        Email me a link
      </Button>
    </form>
  )
}
