import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { SheetDecision, SheetPreview, SheetPreviewRequest, SheetReport, VinReport } from '#shared/schemas/posting.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { ById } from '#server/platform/http/route-schemas.ts'
import { reportVin } from './vin.service.ts'
import { previewSheet } from './sheet-previews.service.ts'
import { decideImport, forgetColumns, readImport, repeatImport } from './spreadsheets.service.ts'

const ByVin = Type.Object({ vin: Type.String({ maxLength: 40 }) })

export const vinRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.get(
    '/vin/:vin',
    { onRequest: signedIn, schema: { params: ByVin, response: { 200: VinReport } } },
    async (request) => reportVin(ctx, request.actor, request.params.vin),
  )
}

export const spreadsheetsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get('/inventory/:id/sheet', { schema: { params: ById, response: { 200: SheetReport } } }, async (request) =>
    readImport(ctx, request.actor, request.params.id),
  )

  app.post('/inventory/:id/sheet', { schema: { params: ById, response: { 200: SheetReport } } }, async (request) =>
    repeatImport(ctx, request.actor, request.params.id),
  )

  app.delete(
    '/inventory/:id/sheet/columns',
    { schema: { params: ById, response: { 200: SheetReport } } },
    async (request) => forgetColumns(ctx, request.actor, request.params.id),
  )

  app.post(
    '/inventory/:id/sheet/decision',
    { schema: { params: ById, body: SheetDecision, response: { 200: SheetReport } } },
    async (request) => decideImport(ctx, request.actor, request.params.id, request.body),
  )

  app.post(
    '/spreadsheets/preview',
    { schema: { body: SheetPreviewRequest, response: { 200: SheetPreview } } },
    async (request) => previewSheet(ctx, request.actor, request.body),
  )
}
