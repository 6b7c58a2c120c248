import { useQuery } from '@tanstack/react-query'
import { reasonOf, refusedField } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { FormDialog } from '#client/ui/form-dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { Input } from '#client/ui/input.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { emailMax, isEmail } from '#shared/email.ts'
import type { OwnProfile } from '#shared/schemas/dealers.ts'
import { ownProfileQuery, useChangeEmail } from './profile.api.ts'

/** The email address for signing in. A new address takes effect when the dealer opens the link sent to it. */
export function EmailField({ profile, hasPassword }: { profile: OwnProfile; hasPassword: boolean }) {
  const form = useEmailForm(hasPassword)
  return (
    <Card>
      <CardHeader title="Email" />
      <CardBody>
        <p className="text-base">{profile.email}</p>
        <Waiting email={profile.pendingEmail} />
        <form noValidate onSubmit={form.submit} className="mt-3 grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
          <EmailFields form={form} hasPassword={hasPassword} />
          <div className="col-span-full">
            <Button type="submit" busy={form.busy}>
              Change email
            </Button>
          </div>
        </form>
      </CardBody>
    </Card>
  )
}

export function ChangeEmailDialog({ hasPassword, onClose }: { hasPassword: boolean; onClose: () => void }) {
  const { data: profile } = useQuery(ownProfileQuery())
  const form = useEmailForm(hasPassword, onClose)
  return (
    <FormDialog
      title="Change email"
      description="We'll email a link to the new address. It takes effect once you open the link."
      confirmLabel="Change email"
      busy={form.busy}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Waiting email={profile?.pendingEmail ?? null} />
      <EmailFields form={form} hasPassword={hasPassword} />
    </FormDialog>
  )
}

function Waiting({ email }: { email: string | null }) {
  if (email === null) return null
  return (
    <p role="status" className="mt-1 rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
      {email} is pending. Open the link we emailed to confirm it.
    </p>
  )
}

function useEmailForm(hasPassword: boolean, onAsked?: () => void) {
  const change = useChangeEmail()
  const form = useFormState({
    initial: { email: '', password: '' },
    validate: ({ email, password }) => ({
      ...(!isEmail(email.trim()) && { email: 'Please enter an email address' }),
      ...(hasPassword && password === '' && { password: 'Please enter your password' }),
    }),
    onSubmit: ({ email, password }) =>
      change.mutate(
        { email: email.trim(), ...(hasPassword && { proof: { password } }) },
        {
          onSuccess: () => {
            form.setValues({ email: '', password: '' })
            toast({ title: 'Check your email', description: `Open the link sent to ${email.trim()}` })
            onAsked?.()
          },
          onError: (error) => form.setErrors(fieldOf(error)),
        },
      ),
  })
  return { ...form, busy: change.isPending }
}

function EmailFields({ form, hasPassword }: { form: ReturnType<typeof useEmailForm>; hasPassword: boolean }) {
  return (
    <>
      <Field label="New email" error={form.errors.email} required>
        <Input
          type="email"
          autoComplete="email"
          maxLength={emailMax}
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
    </>
  )
}

function fieldOf(error: Error): { email?: string; password?: string } {
  const wrong = refusedField(error, ['password'])
  return wrong.password ? wrong : { email: reasonOf(error) }
}
