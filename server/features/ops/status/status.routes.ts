import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Incident, IncidentChange, IncidentInput, StatusReport } from '#shared/schemas/ops.ts'
import { byOf } from '#server/features/audit/audit.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { requireRole } from '#server/platform/http/guards.ts'
import { ById } from '#server/platform/http/route-schemas.ts'
import { createSingleFlight } from '#server/platform/single-flight.ts'
import { allIncidents, changeIncident, publicIncidents, resolveIncident, writeIncident } from './incidents.service.ts'
import { statusReport } from './status.service.ts'

/** The report is cached, so many visitors during an outage do not add load. */
const sharedMs = 2_000

export const statusRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  const shared = createSingleFlight<StatusReport>(sharedMs)

  app.get('/status', { schema: { response: { 200: StatusReport } } }, async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
    return shared.forceFetch('', { context: () => statusReport(ctx) })
  })
}

const guard = { onRequest: requireRole('admin') }

export const incidentsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  const shared = createSingleFlight<Incident[]>(sharedMs)

  app.get('/status/incidents', { schema: { response: { 200: Type.Array(Incident) } } }, async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
    return shared.forceFetch('', { context: () => publicIncidents(ctx) })
  })
  app.get('/admin/incidents', { ...guard, schema: { response: { 200: Type.Array(Incident) } } }, async () =>
    allIncidents(ctx),
  )
  app.post(
    '/admin/incidents',
    { ...guard, schema: { body: IncidentInput, response: { 201: Incident } } },
    async (request, reply) => {
      const incident = await writeIncident(ctx, byOf(request), request.body)
      shared.clear()
      return reply.code(201).send(incident)
    },
  )
  app.patch(
    '/admin/incidents/:id',
    { ...guard, schema: { params: ById, body: IncidentChange, response: { 200: Incident } } },
    async (request) => {
      const incident = await changeIncident(ctx, byOf(request), request.params.id, request.body)
      shared.clear()
      return incident
    },
  )
  app.post(
    '/admin/incidents/:id/resolve',
    { ...guard, schema: { params: ById, response: { 200: Incident } } },
    async (request) => {
      const incident = await resolveIncident(ctx, byOf(request), request.params.id)
      shared.clear()
      return incident
    },
  )
}
