import { useState } from 'react'
import type { AdminUser } from '#shared/schemas/admin.ts'
import { Button } from '#client/ui/button.tsx'
import { KeyValue } from '#client/ui/card.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { capitalize, formatDateTime } from '#client/ui/format.ts'
import { Textarea } from '#client/ui/textarea.tsx'
import { useJudgeLicense } from '../admin.api.ts'
import { reasonMax, reasonMin } from '#shared/limits.ts'

export function LicenseDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const judge = useJudgeLicense()
  const [reason, setReason] = useState('')
  const [refused, setRefused] = useState(false)
  const { status, submittedAt } = user.license
  const decide = (verdict: 'verified' | 'rejected') => {
    const missing = verdict === 'rejected' && reason.trim().length < reasonMin
    setRefused(missing)
    if (missing || submittedAt === null) return
    const why = verdict === 'rejected' ? { reason: reason.trim() } : {}
    judge.mutate({ id: user.id, verdict, submittedAt, ...why }, { onSuccess: onClose })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`License of ${user.name || user.email}`}
      footer={
        <>
          <Button
            variant="danger"
            busy={judge.isPending && judge.variables.verdict === 'rejected'}
            onClick={() => decide('rejected')}
          >
            Reject
          </Button>
          {status === 'verified' ? null : (
            <Button
              variant="primary"
              busy={judge.isPending && judge.variables.verdict === 'verified'}
              onClick={() => decide('verified')}
            >
              Verify
            </Button>
          )}
        </>
      }
    >
      <LicenseDetails user={user} />
      <Field
        label="Reason"
        hint="Required to reject. The dealer sees it, and it is kept in the audit log."
        error={refused ? 'Enter a reason for the rejection' : undefined}
      >
        <Textarea value={reason} maxLength={reasonMax} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </Dialog>
  )
}

function LicenseDetails({ user }: { user: AdminUser }) {
  const { number, state, expiresOn, scan, status, submittedAt } = user.license
  return (
    <dl className="mb-3">
      <KeyValue label="Number">
        <span className="vin">{number}</span>
      </KeyValue>
      <KeyValue label="Issued by">{state || 'Not given'}</KeyValue>
      <KeyValue label="Expires on">{expiresOn || 'Not given'}</KeyValue>
      <KeyValue label="Scan">
        {scan ? (
          <a href={scan} target="_blank" rel="noopener noreferrer" className="text-accent-ink underline">
            View scan
          </a>
        ) : (
          'None'
        )}
      </KeyValue>
      {submittedAt === null ? null : <KeyValue label="Submitted">{formatDateTime(submittedAt)}</KeyValue>}
      <KeyValue label="Status">{capitalize(status)}</KeyValue>
      <KeyValue label="Auction Access">{user.auctionAccessNumber || 'Not given'}</KeyValue>
      <KeyValue label="5 Mil">{user.dealership5MilNumber || 'Not given'}</KeyValue>
    </dl>
  )
}
