import { isSameEmail } from '#shared/email.ts'
import type { AdminUser } from '#shared/schemas/admin.ts'
import { FormDialog } from '#client/ui/form-dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { Input } from '#client/ui/input.tsx'
import { useEditUser } from '../admin.api.ts'
import { invalidUser, UserFields } from './admin-user-fields.tsx'

/** Sends only the changed fields, because the dealer or another admin may have changed the others. */
export function EditUserDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const edit = useEditUser()
  const { name, email, dealershipName, dealershipType, role, phone, city, state } = user
  const form = useFormState({
    initial: { name, email, dealershipName, dealershipType, role, phone: phone ?? '', city, state },
    validate: invalidUser,
    onSubmit: (_values, { phone: called, ...changed }) => {
      const change = { ...changed, ...(called !== undefined && { phone: called || null }) }
      if (Object.keys(change).length === 0) onClose()
      else edit.mutate({ id: user.id, change }, { onSuccess: onClose })
    },
  })
  return (
    <FormDialog
      title={`Edit ${name || email}`}
      confirmLabel="Save"
      busy={edit.isPending}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <UserFields
        {...form}
        emailHint={
          isSameEmail(form.values.email.trim(), email)
            ? undefined
            : 'Signs them out everywhere, cancels their emailed links, and removes their Google sign-in, second factor and API keys. The old address is notified.'
        }
      />
      <Field label="Phone" optional>
        <Input
          type="tel"
          maxLength={40}
          value={form.values.phone}
          onChange={(event) => form.set('phone', event.target.value)}
        />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="City">
          <Input value={form.values.city} maxLength={80} onChange={(event) => form.set('city', event.target.value)} />
        </Field>
        <Field label="State">
          <Input value={form.values.state} maxLength={40} onChange={(event) => form.set('state', event.target.value)} />
        </Field>
      </div>
    </FormDialog>
  )
}
