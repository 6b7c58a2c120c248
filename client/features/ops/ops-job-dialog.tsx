import RotateCw from 'lucide-react/icons/rotate-cw'
import Trash2 from 'lucide-react/icons/trash'
import { useState } from 'react'
import type { FailedJob } from '#shared/schemas/ops.ts'
import { Button } from '#client/ui/button.tsx'
import { KeyValue } from '#client/ui/card.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { formatDateTime } from '#client/ui/format.ts'
import { useDiscardJobs, useRetryJobs } from './ops.api.ts'

export function JobDialog({ job, onClose }: { job: FailedJob; onClose: () => void }) {
  const retry = useRetryJobs()
  const discard = useDiscardJobs()
  const [asking, setAsking] = useState(false)
  const refs = [{ queue: job.queue, id: job.id }]
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={job.name}
      footer={
        <>
          <Button variant="danger" icon={<Trash2 size={16} />} onClick={() => setAsking(true)}>
            Discard
          </Button>
          <Button
            variant="primary"
            icon={<RotateCw size={16} />}
            busy={retry.isPending}
            onClick={() => retry.mutate(refs, { onSuccess: onClose })}
          >
            Retry
          </Button>
        </>
      }
    >
      <dl>
        <KeyValue label="Id">
          <span className="font-mono text-xs">{job.id}</span>
        </KeyValue>
        <KeyValue label="Queue">{job.queue}</KeyValue>
        <KeyValue label="Attempts">
          {job.attempts === null ? 'No longer available' : `${job.attempts} of ${job.maxAttempts}`}
        </KeyValue>
        <KeyValue label="Created">{formatDateTime(job.createdAt)}</KeyValue>
        {job.failedAt ? <KeyValue label="Failed">{formatDateTime(job.failedAt)}</KeyValue> : null}
      </dl>
      <p className="mt-2 rounded-md bg-danger-soft p-3 font-mono text-xs break-words text-danger-ink">{job.error}</p>
      <pre className="mt-2 overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs">
        {JSON.stringify(job.payload, null, 2)}
      </pre>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Discard this job?"
        description="The job is discarded permanently and will never run. This cannot be undone."
        confirmLabel="Discard"
        destructive
        busy={discard.isPending}
        onConfirm={() => discard.mutate(refs, { onSuccess: onClose })}
      />
    </Dialog>
  )
}
