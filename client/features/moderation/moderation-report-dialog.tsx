import { useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import type { ReportSubject } from '#client/lib/screen/report-subject.ts'
import { FormDialog } from '#client/ui/form-dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { RadioGroup } from '#client/ui/radio-group.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { reportDetailsMax, reportReasonKeys, reportReasons, type ReportReason } from '#shared/moderation.ts'
import { useSendReport } from './moderation.api.ts'

const options = reportReasonKeys.map((value) => ({ value, label: reportReasons[value] }))

/** Reports content or a dealer. The author of the reported content does not learn who reported it. */
export function ReportDialog({ subject, onClose }: { subject: ReportSubject; onClose: () => void }) {
  const [reason, setReason] = useState<ReportReason>()
  const [details, setDetails] = useState('')
  const [tried, setTried] = useState(false)
  const send = useSendReport()
  const submit = () => {
    setTried(true)
    if (reason === undefined) return
    const report = { kind: subject.kind, subjectId: subject.id, reason, details: details.trim() }
    send.mutate(report, {
      onSuccess: () => {
        toast({ title: 'Report sent', description: 'Thank you. A moderator will look at it.' })
        onClose()
      },
    })
  }
  return (
    <FormDialog
      title={`Report this ${subject.kind}`}
      description={subject.name}
      confirmLabel="Send report"
      busy={send.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <div>
        <p className="mb-2 font-medium">What is the problem?</p>
        <RadioGroup
          label="What is the problem?"
          stacked
          value={reason ?? ''}
          onChange={(value) => setReason(value)}
          options={options}
        />
        {tried && reason === undefined ? (
          <p role="alert" className="mt-2 text-xs text-danger-ink">
            Choose a reason
          </p>
        ) : null}
      </div>
      <Field label="Details" optional hint="What should the moderator know?">
        <Textarea value={details} maxLength={reportDetailsMax} onChange={(event) => setDetails(event.target.value)} />
      </Field>
      {send.error ? <InlineError title="The report was not sent" message={reasonOf(send.error)} /> : null}
    </FormDialog>
  )
}
