import { reasonOf, refusedField } from '#client/lib/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { Input } from '#client/ui/input.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { toast } from '#client/ui/toast-store.ts'
import type { OwnProfile } from '#shared/schemas/profile.ts'
import { useChangeEmail } from './profile.api.ts'

/** The address one signs in with: a new one counts once its mailed link has been opened. */
export function EmailField({ profile, hasPassword }: { profile: OwnProfile; hasPassword: boolean }) {
  const change = useChangeEmail()
  const form = useFormState({
    initial: { email: '', password: '' },
    validate: ({ email, password }) => ({
      ...(!/^\S+@\S+\.\S+$/.test(email.trim()) && { email: 'Please enter an email address' }),
      ...(hasPassword && password === '' && { password: 'Please enter your password' }),
    }),
    onSubmit: ({ email, password }) =>
      change.mutate(
        { email: email.trim(), ...(hasPassword && { password }) },
        {
          onSuccess: () => {
            form.setValues({ email: '', password: '' })
            toast({ title: 'Check your mail', description: `Open the link sent to ${email.trim()}` })
          },
          onError: (error) => form.setErrors(fieldOf(error)),
        },
      ),
  })
  return (
    <Card>
      <CardHeader title="Email" />
      <CardBody>
        <p className="text-base">{profile.email}</p>
        {profile.pendingEmail ? (
          <p role="status" className="mt-1 rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
            {profile.pendingEmail} waits for you to open the link in the mail.
          </p>
        ) : null}
        <form noValidate onSubmit={form.submit} className="mt-3 grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
          <Field label="New email" error={form.errors.email} required>
            <Input
              type="email"
              autoComplete="email"
              maxLength={254}
              value={form.values.email}
              onChange={(event) => form.set('email', event.target.value)}
            />
          </Field>
          {hasPassword ? (
            <PasswordField
              label="Your password"
              kind="current"
              error={form.errors.password}
              value={form.values.password}
              onChange={(value) => form.set('password', value)}
            />
          ) : null}
          <div className="col-span-full">
            <Button type="submit" busy={change.isPending}>
              Change email
            </Button>
          </div>
        </form>
      </CardBody>
    </Card>
  )
}

/** The server names the field it refuses. */
function fieldOf(error: Error): { email?: string; password?: string } {
  const wrong = refusedField(error, ['password'])
  return wrong.password ? wrong : { email: reasonOf(error) }
}
