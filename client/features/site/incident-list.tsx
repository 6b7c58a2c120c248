import { Badge } from '#client/ui/badge.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { formatDate, formatDuration } from '#client/ui/format.ts'
import { incidentState } from '#client/ui/incident-state.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import type { Incident } from '#shared/schemas/ops.ts'
import { loadIncidents } from './site.api.ts'
import { useLoad } from './use-load.ts'

export function IncidentList() {
  const { data, error, retry } = useLoad(loadIncidents)
  if (error) return <InlineError title="The incidents could not be loaded" message={error} onRetry={retry} />
  if (data?.length === 0) return <p className="text-base text-ink-2">No incidents so far.</p>
  return (
    <div className="grid gap-3 md:grid-cols-2" aria-busy={data === undefined}>
      {data === undefined ? <p className="text-base text-ink-2">Loading incidents…</p> : null}
      {data?.map((incident) => (
        <IncidentCard key={incident.id} incident={incident} />
      ))}
    </div>
  )
}

function IncidentCard({ incident }: { incident: Incident }) {
  const { title, text, startedAt, endedAt } = incident
  const { label, tone } = incidentState(incident)
  return (
    <article className="rounded-md border border-line p-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-md font-semibold wrap-anywhere">{title}</h3>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="mt-1 text-ink-3">
        <time dateTime={startedAt}>{formatDate(startedAt)}</time>
        {endedAt === null ? null : (
          <>
            <DotSeparator />
            {formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}
          </>
        )}
      </p>
      <p className="mt-2 text-base text-pretty wrap-anywhere whitespace-pre-line text-ink-2">{text}</p>
    </article>
  )
}
