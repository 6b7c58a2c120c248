import { MailCheck } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { Input } from '#client/ui/input.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { useForgotPassword } from './auth.api.ts'

/** Asks for a mailed link. The answer is the same whether the account exists or not. */
export function ForgotForm() {
  const forgot = useForgotPassword()
  const form = useFormState({
    initial: { email: '' },
    validate: ({ email }) => (email.trim() ? {} : { email: 'Please fill in all required fields' }),
    onSubmit: ({ email }) => forgot.mutate(email.trim()),
    onInvalid: () =>
      toast({
        title: 'Missing Information',
        description: 'Please fill in all required fields',
        variant: 'destructive',
      }),
  })
  if (forgot.isSuccess) {
    return (
      <EmptyState
        level={1}
        icon={<MailCheck size={24} />}
        title="Look into your mail"
        hint={`If ${form.values.email.trim()} has an account, a link for a new password is on its way. It works for an hour.`}
      />
    )
  }
  return (
    <form noValidate onSubmit={form.submit} className="space-y-3">
      <div className="mb-4">
        <h1 className="text-lg font-semibold tracking-lg">Forgot your password?</h1>
        <p className="text-ink-2">We mail you a link that sets a new one.</p>
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
        Mail me a link
      </Button>
    </form>
  )
}
