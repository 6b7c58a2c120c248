import type { Incident, IncidentChange, IncidentInput } from '#shared/schemas/ops.ts'
import { trimTitle } from '#shared/visible-text.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { type Act, difference, recordAct, type By } from '#server/features/audit/audit.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { stated } from '#server/platform/http/request-fields.ts'
import { insertIncident, listIncidents, lockIncident, updateIncident } from './incidents.repository.ts'

const publicShown = 20
const adminShown = 500

export const publicIncidents = (ctx: Context): Promise<Incident[]> => listIncidents(ctx.db, publicShown)

export const allIncidents = (ctx: Context): Promise<Incident[]> => listIncidents(ctx.db, adminShown)

const asSubject = ({ id, title }: Incident): Act['subject'] => ({ kind: 'incident', id, name: title })

function assertTimes({ startedAt, endedAt }: Pick<IncidentInput, 'startedAt' | 'endedAt'>): void {
  if (endedAt !== null && new Date(endedAt) < new Date(startedAt))
    throw badRequest('The end must be after the start', { fields: ['endedAt'] })
}

/** @throws 400 if the incident's end is before its start */
export async function writeIncident(ctx: Context, by: By, input: IncidentInput): Promise<Incident> {
  assertTimes(input)
  return ctx.transact(async (tx, emit) => {
    const incident = await insertIncident(tx, { ...input, title: trimTitle(input.title), text: input.text.trim() })
    await recordAct(tx, by, { action: 'incident.create', subject: asSubject(incident), after: incident })
    await emit.job('incident.notify', { incidentId: incident.id, news: incident.endedAt === null ? 'written' : 'over' })
    return incident
  })
}

/** @throws 404 if the incident does not exist; 400 if its end would be before its start */
export async function changeIncident(ctx: Context, by: By, id: string, input: IncidentChange): Promise<Incident> {
  const { title, text, planned, startedAt, endedAt } = input
  const wanted = stated({ title: title && trimTitle(title), text: text?.trim(), planned, startedAt, endedAt })
  return ctx.transact(async (tx, emit) => {
    const incident = await lockIncident(tx, id)
    if (!incident) throw notFound('This incident')
    assertTimes({ ...incident, ...wanted })
    const { before, after, changed } = difference(incident, wanted)
    if (!changed) return incident
    await recordAct(tx, by, { action: 'incident.edit', subject: asSubject(incident), before, after })
    if (incident.endedAt === null && wanted.endedAt) await emit.job('incident.notify', { incidentId: id, news: 'over' })
    return updateIncident(tx, id, wanted)
  })
}

/** @throws 404 if the incident does not exist; 409 if it has already ended or has not started */
export async function resolveIncident(ctx: Context, by: By, id: string): Promise<Incident> {
  return ctx.transact(async (tx, emit) => {
    const incident = await lockIncident(tx, id)
    if (!incident) throw notFound('This incident')
    if (incident.endedAt !== null) throw conflict('This incident is already resolved')
    const now = ctx.now()
    if (now < new Date(incident.startedAt)) throw conflict('This incident has not started yet')
    const after = { endedAt: now.toISOString() }
    await recordAct(tx, by, {
      action: 'incident.resolve',
      subject: asSubject(incident),
      before: { endedAt: null },
      after,
    })
    await emit.job('incident.notify', { incidentId: id, news: 'over' })
    return updateIncident(tx, id, after)
  })
}
