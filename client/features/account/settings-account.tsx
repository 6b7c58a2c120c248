import Trash2 from 'lucide-react/icons/trash'
import { useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { FormDialog } from '#client/ui/form-dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Input } from '#client/ui/input.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { DataCopy } from './data-copy.tsx'
import { useDeleteAccount } from './settings.api.ts'

interface AccountProps {
  hasPassword: boolean | undefined
}

export function SettingsAccount({ hasPassword }: AccountProps) {
  const [asked, setAsked] = useState(false)
  return (
    <Card>
      <CardHeader title="Your data" />
      <CardBody className="divide-y divide-line">
        <DataCopy />
        <div className="flex flex-wrap items-center justify-between gap-3 py-2">
          <div>
            <p className="font-medium">Delete my account</p>
            <p className="text-xs text-ink-2">
              Erases your identity. Deals, messages and comments remain, shown as "Deleted dealer".
            </p>
          </div>
          <Button variant="danger-ghost" icon={<Trash2 size={16} aria-hidden="true" />} onClick={() => setAsked(true)}>
            Delete account
          </Button>
        </div>
      </CardBody>
      {asked ? <DeleteDialog hasPassword={hasPassword} onClose={() => setAsked(false)} /> : null}
    </Card>
  )
}

function DeleteDialog({ hasPassword, onClose }: AccountProps & { onClose: () => void }) {
  const billing = useBilling()
  const me = useCurrentDealer()
  const remove = useDeleteAccount()
  const form = useFormState({
    initial: { email: '', password: '' },
    validate: ({ email, password }) => ({
      ...(email.trim().toLowerCase() !== me.email.toLowerCase() && { email: `Type ${me.email} to continue` }),
      ...(hasPassword && password === '' && { password: 'Please enter your password' }),
    }),
    onSubmit: ({ email, password }) =>
      remove.mutate({ email: email.trim(), ...(password !== '' && { proof: { password } }) }),
  })
  return (
    <FormDialog
      unsaved={false}
      title="Delete my account"
      description={`Your posts and connections are removed, ${billing ? 'your plan is cancelled ' : ''}and you are signed out everywhere. This cannot be undone.`}
      confirmLabel="Delete my account"
      destructive
      busy={remove.isPending}
      onSubmit={form.submit}
      onClose={onClose}
    >
      {remove.error ? <InlineError title="The account was not deleted" message={reasonOf(remove.error)} /> : null}
      <Field label="Your email" hint={`Type ${me.email}`} error={form.errors.email} required>
        <Input
          type="email"
          autoComplete="off"
          value={form.values.email}
          onChange={(event) => form.set('email', event.target.value)}
        />
      </Field>
      {hasPassword === false ? null : (
        <PasswordField
          label="Your password"
          kind="current"
          error={form.errors.password}
          value={form.values.password}
          onChange={(value) => form.set('password', value)}
        />
      )}
    </FormDialog>
  )
}
