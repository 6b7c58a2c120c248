import { useQuery } from '@tanstack/react-query'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useState } from 'react'
import type { Incident } from '#shared/schemas/ops.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { formatDateTime } from '#client/ui/format.ts'
import { incidentState } from '#client/ui/incident-state.ts'
import { incidentsQuery, useChangeIncident, useResolveIncident, useWriteIncident } from './admin-published.api.ts'
import { IncidentForm, newIncident } from './admin-incident-form.tsx'
import { EditDialog, WriteCard, WrittenList } from './admin-write-and-list.tsx'

export function AdminIncidents() {
  const write = useWriteIncident()
  const incidents = useQuery(incidentsQuery())
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 lg:grid-cols-[25rem_minmax(0,1fr)]">
      <WriteCard
        title="Create Incident"
        action="Publish on the status page"
        Form={IncidentForm}
        initial={newIncident()}
        busy={write.isPending}
        onSubmit={write.mutateAsync}
      />
      <WrittenList
        title="Incidents"
        what="incidents"
        query={incidents}
        empty={{
          icon: <ShieldCheck size={24} />,
          title: 'No incidents yet',
          hint: 'Incidents you publish appear on the status page right away and are emailed to subscribers.',
        }}
        renderRow={(incident) => <IncidentRow key={incident.id} incident={incident} />}
      />
    </div>
  )
}

function IncidentRow({ incident }: { incident: Incident }) {
  const [editing, setEditing] = useState(false)
  const resolve = useResolveIncident()
  const { id, title, text, startedAt, endedAt } = incident
  const { label, tone } = incidentState(incident)
  return (
    <li className="border-t border-line p-4 first:border-t-0">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 font-semibold wrap-anywhere">{title}</h3>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="mt-1 max-w-prose wrap-anywhere whitespace-pre-line text-ink-2">{text}</p>
      <p className="num mt-1 text-xs text-ink-3">
        {formatDateTime(startedAt)}
        {endedAt === null ? null : ` to ${formatDateTime(endedAt)}`}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {endedAt === null ? (
          <Button busy={resolve.isPending} onClick={() => resolve.mutate(id)} aria-label={`Resolve ${title}`}>
            RESOLVE
          </Button>
        ) : null}
        <Button onClick={() => setEditing(true)} aria-label={`Edit ${title}`}>
          EDIT
        </Button>
      </div>
      {editing ? <EditIncidentDialog incident={incident} onClose={() => setEditing(false)} /> : null}
    </li>
  )
}

function EditIncidentDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const change = useChangeIncident()
  const { id, updatedAt: _updatedAt, ...initial } = incident
  return (
    <EditDialog
      title="Edit incident"
      onClose={onClose}
      Form={IncidentForm}
      initial={initial}
      busy={change.isPending}
      onSubmit={(wanted, done) => change.mutate({ id, change: wanted }, { onSuccess: done })}
    />
  )
}
