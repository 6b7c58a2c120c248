import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSettingsChange, useQuietHoursPatch } from '#client/lib/session/save-settings.ts'
import { typedAmount } from '#client/lib/form/typed-amount.ts'
import { Button } from '#client/ui/button.tsx'
import { FormDialog } from '#client/ui/form-dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { formatMoney } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import { bidMaxDollars } from '#shared/limits.ts'
import type { LaneDay } from '#shared/schemas/lane.ts'
import { refetchLane } from './lane.api.ts'

export function DayLimitDialog({ day, onClose }: { day: LaneDay; onClose: () => void }) {
  const cache = useQueryClient()
  const quietHoursPatch = useQuietHoursPatch()
  const change = useSettingsChange(() => {
    void refetchLane(cache)
    onClose()
  })
  const [text, setText] = useState(day.limit === null ? '' : String(day.limit))
  const [error, setError] = useState<string>()
  const save = (dayLimit: number | null) =>
    change.mutate({ lane: { dayLimit }, ...(dayLimit !== null && quietHoursPatch()) })
  const submit = () => {
    const amount = typedAmount(text)
    if (amount === undefined || amount > bidMaxDollars) return setError('Enter an amount in dollars')
    save(amount)
  }
  return (
    <FormDialog
      compact
      title="Day limit"
      description={`Counts your wins, leading bids and maximums since midnight. Used today: ${formatMoney(day.used)}.`}
      confirmLabel="Save limit"
      busy={change.isPending}
      footerStart={
        day.limit === null ? null : (
          <Button onClick={() => save(null)} className="mr-auto">
            No limit
          </Button>
        )
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Maximum per day"
        error={error}
        hint="Bids over the limit are not accepted. Two bids placed at the same moment can exceed it by one."
      >
        <Input inputMode="numeric" autoComplete="off" value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
    </FormDialog>
  )
}
