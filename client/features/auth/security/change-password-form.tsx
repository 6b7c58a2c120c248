import { type ReactNode, useState } from 'react'
import { ApiError } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { PasswordField } from '#client/ui/password-field.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { useChangePassword } from '../auth.api.ts'
import { toastPasswordErrors, NewPasswordFields, validateNewPassword } from '../new-password-fields.tsx'

const blank = { current: '', password: '', confirm: '' }

/** A new password ends all other sessions. `stays` is shown afterward. It lists the API keys, which keep working. */
export function ChangePasswordForm({ hasPassword, stays }: { hasPassword: boolean; stays: ReactNode }) {
  const change = useChangePassword()
  const [wrong, setWrong] = useState<string>()
  const form = useFormState({
    initial: blank,
    validate: ({ current, ...next }) => ({
      ...(hasPassword && !current && { current: 'Please fill in all required fields' }),
      ...validateNewPassword(next),
    }),
    onInvalid: (errors) => toastPasswordErrors(errors),
    onSubmit: ({ current, password }) =>
      change.mutate(
        { newPassword: password, ...(hasPassword && { currentPassword: current }) },
        {
          onSuccess: () => {
            form.setValues(blank)
            toast({ title: 'Password Changed', description: 'All other sessions were signed out.' })
          },
          onError: (error) => {
            if (error instanceof ApiError && error.status === 403) setWrong(error.reason)
          },
        },
      ),
  })
  return (
    <>
      <Card aria-label="Password">
        <CardHeader title={hasPassword ? 'Change Password' : 'Set a Password'} />
        <form noValidate onSubmit={form.submit} className="max-w-92 space-y-3 px-4 pt-1 pb-4">
          {hasPassword ? (
            <PasswordField
              label="Current password"
              kind="current"
              size="lg"
              error={form.errors.current ?? wrong}
              value={form.values.current}
              onChange={(value) => {
                setWrong(undefined)
                form.set('current', value)
              }}
            />
          ) : null}
          <NewPasswordFields values={form.values} errors={form.errors} set={form.set} />
          <Button type="submit" busy={change.isPending}>
            {change.isPending ? 'Saving...' : 'Save password'}
          </Button>
        </form>
      </Card>
      {change.isSuccess ? stays : null}
    </>
  )
}
