import { useId } from 'react'
import type { NewAdminUser } from '#shared/schemas/admin.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { useInviteUser } from './admin.api.ts'
import { invalidUser, UserFields } from './admin-user-fields.tsx'

const initial: NewAdminUser = { name: '', email: '', dealershipName: '', dealershipType: 'independent', role: 'dealer' }

export function AddUserDialog({ onClose }: { onClose: () => void }) {
  const invite = useInviteUser()
  const id = useId()
  const form = useFormState({
    initial,
    validate: invalidUser,
    onSubmit: (values) => invite.mutate(values, { onSuccess: onClose }),
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Add User"
      description="The account is made now; its owner gets a mail with a link to choose a password."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={id} busy={invite.isPending}>
            Send invitation
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={form.submit} className="space-y-3">
        <UserFields {...form} />
      </form>
    </Dialog>
  )
}
