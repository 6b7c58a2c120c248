import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useId, useState } from 'react'
import type { Incident } from '#shared/schemas/ops.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatDateTime } from '#client/ui/format.ts'
import { incidentState } from '#client/ui/incident-state.ts'
import { incidentsQuery, useChangeIncident, useResolveIncident, useWriteIncident } from './admin.api.ts'
import { IncidentForm, newIncident } from './admin-incident-form.tsx'
import { Load } from './admin-load.tsx'

/** /admin/status: what the status page tells of incidents. */
export function AdminIncidents() {
  const write = useWriteIncident()
  const incidents = useQuery(incidentsQuery())
  const form = useId()
  const [made, setMade] = useState(0)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 lg:grid-cols-[400px_minmax(0,1fr)]">
      <Card>
        <CardHeader title="Write Incident" />
        <CardBody className="space-y-4 pb-4">
          <IncidentForm
            key={made}
            id={form}
            initial={newIncident()}
            onSubmit={(input) => write.mutate(input, { onSuccess: () => setMade((count) => count + 1) })}
          />
          <Button variant="primary" type="submit" form={form} block busy={write.isPending}>
            Publish on the status page
          </Button>
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="Incidents" />
        <Load query={incidents} what="incidents">
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState
                icon={<ShieldCheck size={24} />}
                title="No incidents yet"
                hint="What you publish appears on the status page at once."
              />
            ) : (
              <ul>
                {rows.map((incident) => (
                  <IncidentRow key={incident.id} incident={incident} />
                ))}
              </ul>
            )
          }
        </Load>
      </Card>
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
  const form = useId()
  const { id, updatedAt: _updatedAt, ...initial } = incident
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Edit incident"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} busy={change.isPending}>
            Save
          </Button>
        </>
      }
    >
      <IncidentForm
        id={form}
        initial={initial}
        onSubmit={(input) => change.mutate({ id, change: input }, { onSuccess: onClose })}
      />
    </Dialog>
  )
}
