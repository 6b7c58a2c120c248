import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { formatDateTime, formatNumber, nounOf, plural } from '#client/ui/format.ts'
import { Select } from '#client/ui/select.tsx'
import type { Retention, RetentionState } from '#shared/schemas/admin.ts'
import { Load } from '../home/admin-load.tsx'
import { retentionQuery, useChangeRetention } from '../admin.api.ts'

const messageChoices = [null, 6, 12, 24, 36, 60]
const logChoices = [3, 6, 12, 24, 36]
const keepForever = 'forever'

const nameOf = (months: number | null) => (months === null ? 'Forever' : plural(months, 'month'))

const optionsOf = (choices: readonly (number | null)[], current: number | null) =>
  [...new Set([...choices, current])]
    .toSorted((a, b) => (a ?? 0) - (b ?? 0))
    .map((months) => ({ value: months === null ? keepForever : String(months), label: nameOf(months) }))

/** Shortening a retention period requires confirmation, because the deletion is final. */
export function AdminRetention() {
  const retention = useQuery(retentionQuery())
  return (
    <Card className="mb-3">
      <CardHeader title="Data retention" />
      <Load query={retention} what="data retention">
        {(state) => <Choices state={state} />}
      </Load>
    </Card>
  )
}

function Choices({ state }: { state: RetentionState }) {
  const change = useChangeRetention()
  const [asked, setAsked] = useState<Retention>()
  const { messageMonths, logMonths, ranAt, removed } = state
  const choose = (wanted: Retention) => {
    const isLonger = (wanted.messageMonths ?? Infinity) >= (messageMonths ?? Infinity) && wanted.logMonths >= logMonths
    if (isLonger) change.mutate(wanted)
    else setAsked(wanted)
  }
  return (
    <CardBody className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
      <Field
        label="Messages"
        hint="Older messages and their files are deleted for both sides. Reported messages are kept."
      >
        <Select
          value={messageMonths === null ? keepForever : String(messageMonths)}
          options={optionsOf(messageChoices, messageMonths)}
          disabled={change.isPending}
          onChange={(value) => choose({ logMonths, messageMonths: value === keepForever ? null : Number(value) })}
        />
      </Field>
      <Field
        label="Logs"
        hint="Notifications, views, ended sessions, failed jobs, shared-account flags and handled contact messages. The audit log is kept."
      >
        <Select
          value={String(logMonths)}
          options={optionsOf(logChoices, logMonths)}
          disabled={change.isPending}
          onChange={(value) => choose({ messageMonths, logMonths: Number(value) })}
        />
      </Field>
      <p className="col-span-full text-xs text-ink-2">
        {ranAt === null ? (
          'Old data is deleted once a day.'
        ) : (
          <>
            Old data is deleted once a day. Last run: <span className="num">{formatDateTime(ranAt)}</span>,{' '}
            <span className="num">{formatNumber(removed)}</span> {nounOf(removed, 'row')} deleted.
          </>
        )}
      </p>
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={() => setAsked(undefined)}
        title="Shorten retention?"
        description={`From the next daily run, messages are kept ${wordsOf(asked?.messageMonths ?? null)} and logs ${wordsOf(asked?.logMonths ?? null)}. Older data is deleted and cannot be restored.`}
        confirmLabel="Shorten retention"
        destructive
        busy={change.isPending}
        onConfirm={() => asked && change.mutate(asked, { onSuccess: () => setAsked(undefined) })}
      />
    </CardBody>
  )
}

const wordsOf = (months: number | null) => (months === null ? 'forever' : `for ${plural(months, 'month')}`)
