import { useState } from 'react'
import { FormDialog } from '#client/ui/form-dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { Input } from '#client/ui/input.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { endOfDay, todayHere } from './admin-date-field.ts'
import { reasonMax, reasonMin } from '#shared/limits.ts'

interface ReasonDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: string
  confirmLabel: string
  busy: boolean
  /** Adds an optional field for an end date. If the field is empty, `until` is null, which means no end. */
  withUntil?: boolean
  onConfirm: (reason: string, until: string | null) => void
}

export const reasonMissing = 'Enter a reason for the audit log'

export const suspensionMeans =
  'All sessions end right away and the dealer cannot sign in. Their running auctions end without a sale, and no one can buy from or sell to them through offers. If they lead an auction, their bid can still win. The dealer sees the reason.'

/** Asks for a reason, which is written to the audit log. */
export function ReasonDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  busy,
  withUntil,
  onConfirm,
}: ReasonDialogProps) {
  const { values, errors, set, submit } = useFormState({
    initial: { reason: '', until: '' },
    validate: ({ reason, until }) => ({
      ...(reason.trim().length < reasonMin && { reason: reasonMissing }),
      ...(until !== '' && !endOfDay(until) && { until: 'Choose today or a later date, or leave blank' }),
    }),
    onSubmit: ({ reason, until }) => {
      const end = endOfDay(until)
      if (until === '' || end) onConfirm(reason.trim(), end?.toISOString() ?? null)
    },
  })
  const [today] = useState(todayHere)
  return (
    <FormDialog
      open={open}
      title={title}
      description={description}
      confirmLabel={confirmLabel}
      destructive
      busy={busy}
      onSubmit={submit}
      onClose={() => onOpenChange(false)}
    >
      <Field label="Reason" required error={errors.reason}>
        <Textarea value={values.reason} maxLength={reasonMax} onChange={(event) => set('reason', event.target.value)} />
      </Field>
      {withUntil ? (
        <Field
          label="Until"
          optional
          error={errors.until}
          hint="Leave blank to suspend until someone reinstates the dealer."
        >
          <Input type="date" min={today} value={values.until} onChange={(event) => set('until', event.target.value)} />
        </Field>
      ) : null}
    </FormDialog>
  )
}
