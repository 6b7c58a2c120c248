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
const forEver = 'forever'

const nameOf = (months: number | null) => (months === null ? 'For ever' : plural(months, 'month'))

/** Includes the current value, even if it is not one of the usual choices. */
const optionsOf = (choices: readonly (number | null)[], current: number | null) =>
  [...new Set([...choices, current])]
    .toSorted((a, b) => (a ?? 0) - (b ?? 0))
    .map((months) => ({ value: months === null ? forEver : String(months), label: nameOf(months) }))

/** How long data is kept. A shorter time needs confirmation, because deletion is final. */
export function AdminRetention() {
  const retention = useQuery(retentionQuery())
  return (
    <Card className="mb-3">
      <CardHeader title="How long things are kept" />
      <Load query={retention} what="how long things are kept">
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
      <Field label="Messages" hint="Older ones go with their files, for both sides. What was reported stays.">
        <Select
          value={messageMonths === null ? forEver : String(messageMonths)}
          options={optionsOf(messageChoices, messageMonths)}
          disabled={change.isPending}
          onChange={(value) => choose({ logMonths, messageMonths: value === forEver ? null : Number(value) })}
        />
      </Field>
      <Field
        label="Logs"
        hint="Notices, views, ended sessions, failed jobs, what bidders were found to share, and contact messages that are done with. The audit log stays."
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
          'What is too old is removed once a day.'
        ) : (
          <>
            Removed once a day, last on <span className="num">{formatDateTime(ranAt)}</span>:{' '}
            <span className="num">{formatNumber(removed)}</span> {nounOf(removed, 'row')}.
          </>
        )}
      </p>
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={() => setAsked(undefined)}
        title="Keep them for a shorter time?"
        description={`From the next daily run on, messages are kept ${wordsOf(asked?.messageMonths ?? null)} and logs ${wordsOf(asked?.logMonths ?? null)}. What is older is removed and cannot be brought back.`}
        confirmLabel="Keep shorter"
        destructive
        busy={change.isPending}
        onConfirm={() => asked && change.mutate(asked, { onSuccess: () => setAsked(undefined) })}
      />
    </CardBody>
  )
}

const wordsOf = (months: number | null) => (months === null ? 'for ever' : `for ${plural(months, 'month')}`)
