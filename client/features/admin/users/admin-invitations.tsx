import { useQuery } from '@tanstack/react-query'
import MailPlus from 'lucide-react/icons/mail-plus'
import { useState } from 'react'
import { emailMax, isEmail } from '#shared/email.ts'
import type { Invitation } from '#shared/schemas/admin.ts'
import { refusedField } from '#client/lib/http/api.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { capitalize, formatDateTime, formatNumber } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import { Load } from '../home/admin-load.tsx'
import {
  invitationsQuery,
  adminNetworkQuery,
  useInviteDealer,
  useResendInvitation,
  useRevokeInvitation,
} from '../admin.api.ts'

export function AdminInvitations() {
  const invitations = useQuery(invitationsQuery())
  const network = useQuery(adminNetworkQuery())
  if (invitations.data?.length === 0 && network.data?.joining !== 'invitation') return null
  return (
    <Card className="mt-3" aria-label="Invitations">
      <CardHeader title="Invitations">
        {invitations.data?.length ? <Badge tone="outline">{formatNumber(invitations.data.length)} open</Badge> : null}
      </CardHeader>
      <p className="px-4 pb-3 text-ink-2">
        We email a link that works once, for one week, for that address only. Invited people don't need approval.
      </p>
      <InviteForm />
      <Load query={invitations} what="invitations">
        {(open) =>
          open.length === 0 ? (
            <EmptyState
              compact
              level={3}
              icon={<MailPlus size={24} />}
              title="No open invitations"
              hint="Invitations you send appear here until accepted."
            />
          ) : (
            <ul aria-label="Open invitations" className="divide-y divide-line border-t border-line">
              {open.map((invitation) => (
                <OpenInvitation key={invitation.id} invitation={invitation} />
              ))}
            </ul>
          )
        }
      </Load>
    </Card>
  )
}

function InviteForm() {
  const invite = useInviteDealer()
  const form = useFormState({
    initial: { email: '' },
    validate: ({ email }) => (isEmail(email.trim()) ? {} : { email: 'Enter an email address' }),
    onSubmit: ({ email }) =>
      invite.mutate(email.trim(), {
        onSuccess: () => form.set('email', ''),
        onError: (error) => form.setErrors(refusedField(error, ['email'])),
      }),
  })
  return (
    <form
      noValidate
      onSubmit={form.submit}
      aria-label="Invite a dealer"
      className="flex flex-wrap items-start gap-2 px-4 pb-4"
    >
      <div className="w-80 max-w-full max-sm:w-full">
        <Field label="Email of a dealer" error={form.errors.email}>
          <Input
            type="email"
            maxLength={emailMax}
            value={form.values.email}
            onChange={(event) => form.set('email', event.target.value)}
          />
        </Field>
      </div>
      <Button type="submit" icon={<MailPlus size={16} />} busy={invite.isPending} className="max-sm:w-full sm:mt-6">
        Invite
      </Button>
    </form>
  )
}

function OpenInvitation({ invitation }: { invitation: Invitation }) {
  const { email, name, role, invitedAt, until, expired } = invitation
  const resend = useResendInvitation()
  const revoke = useRevokeInvitation()
  const [asking, setAsking] = useState(false)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="mr-auto min-w-0">
        <p className="font-medium wrap-anywhere">{email}</p>
        <p className="text-xs text-ink-2">
          {[name, capitalize(role), `invited ${formatDateTime(invitedAt)}`].filter(Boolean).join(', ')}
        </p>
      </div>
      {expired ? (
        <Badge tone="warning">Expired</Badge>
      ) : (
        <span className="text-xs text-ink-2">expires {formatDateTime(until)}</span>
      )}
      <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
        <Button aria-label={`Send again to ${email}`} busy={resend.isPending} onClick={() => resend.mutate(invitation)}>
          Send again
        </Button>
        <Button variant="danger-ghost" aria-label={`Revoke ${email}`} onClick={() => setAsking(true)}>
          Revoke
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Revoke the invitation to ${email}?`}
        description="The emailed link will stop working. You can invite the address again."
        confirmLabel="Revoke"
        destructive
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate(invitation, { onSuccess: () => setAsking(false) })}
      />
    </li>
  )
}
