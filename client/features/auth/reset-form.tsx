import { reasonOf } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { useResetPassword } from './auth.api.ts'
import { toastPasswordErrors, NewPasswordFields, validateNewPassword } from './new-password-fields.tsx'

const words = {
  reset: {
    title: 'Set a new password',
    hint: 'You will be signed out everywhere, and links we emailed earlier stop working. If your account has a second factor, you still need it to sign in. If you never confirmed your email, this confirms it and removes any second factor, API key and Google link set up before.',
  },
  invited: { title: 'Welcome to Lanewire', hint: 'Choose a password to sign in with.' },
}

interface ResetFormProps {
  token: string
  invited: boolean
  /** Called once the password is set, if there are no API keys left to revoke. */
  onDone: () => void
}

/** Sets a new password, authorized by a link in an email. */
export function ResetForm({ token, invited, onDone }: ResetFormProps) {
  const { title, hint } = invited ? words.invited : words.reset
  const reset = useResetPassword(token)
  const form = useFormState({
    initial: { password: '', confirm: '' },
    validate: validateNewPassword,
    onInvalid: toastPasswordErrors,
    onSubmit: ({ password }) =>
      reset.mutate(password, {
        onSuccess: ({ apiKeys }) => {
          toast({ title: invited ? 'Password Set' : 'Password Changed', description: 'Sign in with your new password' })
          if (apiKeys.length === 0) onDone()
        },
      }),
  })
  return (
    <form noValidate onSubmit={form.submit} className="space-y-3">
      <div className="mb-4">
        <h1 className="text-lg font-semibold tracking-lg">{title}</h1>
        <p className="text-ink-2">{hint}</p>
      </div>
      {reset.isError ? <InlineError title="The password was not changed" message={reasonOf(reset.error)} /> : null}
      <NewPasswordFields values={form.values} errors={form.errors} set={form.set} />
      <Button type="submit" variant="primary" size="lg" block busy={reset.isPending}>
        Set password
      </Button>
    </form>
  )
}
