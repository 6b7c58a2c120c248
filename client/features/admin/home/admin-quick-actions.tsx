import { useQuery } from '@tanstack/react-query'
import Activity from 'lucide-react/icons/activity'
import DatabaseBackup from 'lucide-react/icons/database-backup'
import Download from 'lucide-react/icons/download'
import Mail from 'lucide-react/icons/mail'
import Send from 'lucide-react/icons/send'
import { useId, useState } from 'react'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormActions } from '#client/ui/form-dialog.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { useTestMail } from '../admin.api.ts'
import { useCreatePromotion } from '../published/admin-published.api.ts'
import { BackupDialog, LastBackup } from './admin-backups.tsx'
import { healthQuery } from './admin-health.api.ts'
import { Load } from './admin-load.tsx'
import { newPromotion, PromotionForm } from '../published/admin-promotion-form.tsx'

export function AdminQuickActions() {
  const [open, setOpen] = useState<'announcement' | 'backup' | 'health'>()
  const close = () => setOpen(undefined)
  return (
    <Card>
      <CardHeader title="Quick actions" />
      <CardBody className="grid grid-cols-2 gap-2 pb-4">
        <a href="/api/admin/users/export.csv" download className={buttonClass({})}>
          <Download size={16} aria-hidden="true" />
          Export Users
        </a>
        <Button icon={<DatabaseBackup size={16} />} onClick={() => setOpen('backup')}>
          Backup Data
        </Button>
        <Button icon={<Send size={16} />} onClick={() => setOpen('announcement')}>
          Send Announcement
        </Button>
        <Button icon={<Activity size={16} />} onClick={() => setOpen('health')}>
          System Health
        </Button>
      </CardBody>
      <LastBackup />
      {open === 'announcement' ? <AnnouncementDialog onClose={close} /> : null}
      {open === 'backup' ? <BackupDialog onClose={close} /> : null}
      {open === 'health' ? <HealthDialog onClose={close} /> : null}
    </Card>
  )
}

function AnnouncementDialog({ onClose }: { onClose: () => void }) {
  const send = useCreatePromotion('announcements')
  const form = useId()
  const where = useBilling() ? 'every open screen in the audience' : 'every open screen'
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Send Announcement"
      description={`Appears right away as a banner on ${where} until the end date.`}
      footer={<FormActions form={form} confirmLabel="Send" busy={send.isPending} onClose={onClose} />}
    >
      <PromotionForm
        id={form}
        initial={newPromotion()}
        onSubmit={(input) => send.mutate(input, { onSuccess: onClose })}
      />
    </Dialog>
  )
}

function HealthDialog({ onClose }: { onClose: () => void }) {
  const health = useQuery(healthQuery())
  const mail = useTestMail()
  const fault = mail.data?.error ?? null
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="System Health"
      footer={
        <>
          <Button icon={<Mail size={16} />} busy={mail.isPending} onClick={() => mail.mutate()}>
            Send a test email
          </Button>
          <ButtonLink href="/admin/queues">Open Queues</ButtonLink>
        </>
      }
    >
      {fault === null ? null : <InlineError title="The test email was not sent" message={fault} />}
      <Load query={health} what="the state of the system">
        {({ parts }) => (
          <dl>
            {parts.map(({ name, ok, detail }) => (
              <div key={name} className="flex items-start gap-3 py-2">
                <dt className="flex-none">{name}</dt>
                <dd className="flex min-w-0 flex-1 items-start justify-end gap-2">
                  <span className="min-w-0 text-right wrap-anywhere text-ink-2">{detail}</span>
                  <Badge tone={ok ? 'success' : 'danger'}>{ok ? 'Operational' : 'Needs attention'}</Badge>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Load>
    </Dialog>
  )
}
