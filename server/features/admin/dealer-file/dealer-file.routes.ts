import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { DealerFile, NewDealerNote, ProvenReason } from '#shared/schemas/admin.ts'
import { Id } from '#shared/values.ts'
import { siteOf } from '#server/features/auth/second-factor/passkeys.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { requireRole } from '#server/platform/http/guards.ts'
import { ById } from '#server/platform/http/route-schemas.ts'
import { byOf } from '#server/features/audit/audit.service.ts'
import { addNote, dealerFile, deleteNote, endDealerSessions, resetSecondFactor } from './dealer-file.service.ts'

const ofNote = Type.Object({ id: Id, noteId: Id })
const ofSession = Type.Object({ id: Id, sessionId: Type.String({ pattern: '^[0-9a-f]{64}$' }) })
const response = { 200: DealerFile }

export const dealerFileRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', requireRole('admin'))
  const at = '/admin/users/:id'
  const groundsIn = (request: FastifyRequest & { body: ProvenReason }) => ({
    reason: request.body.reason,
    proof: request.body.proof,
    site: siteOf(ctx.config, request),
  })

  app.get(`${at}/file`, { schema: { params: ById, response } }, async (request) => dealerFile(ctx, request.params.id))
  app.post(`${at}/notes`, { schema: { params: ById, body: NewDealerNote, response } }, async (request) =>
    addNote(ctx, byOf(request), request.params.id, request.body.text),
  )
  app.delete(`${at}/notes/:noteId`, { schema: { params: ofNote, response } }, async (request) =>
    deleteNote(ctx, byOf(request), request.params.id, request.params.noteId),
  )
  app.delete(`${at}/sessions`, { schema: { params: ById, body: ProvenReason, response } }, async (request) =>
    endDealerSessions(ctx, byOf(request), request.params, groundsIn(request)),
  )
  app.delete(`${at}/second-factor`, { schema: { params: ById, body: ProvenReason, response } }, async (request) =>
    resetSecondFactor(ctx, byOf(request), request.params.id, groundsIn(request)),
  )
  app.delete(
    `${at}/sessions/:sessionId`,
    { schema: { params: ofSession, body: ProvenReason, response } },
    async (request) => endDealerSessions(ctx, byOf(request), request.params, groundsIn(request)),
  )
}
