import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Id } from '#shared/schemas/dealers.ts'
import { SheetPreview, SheetPreviewRequest, SheetReport } from '#shared/schemas/spreadsheets.ts'
import type { Context } from '#server/platform/context.ts'
import { signedIn } from '#server/platform/guards.ts'
import { previewSheet, readImport, repeatImport } from './spreadsheets.service.ts'

const ById = Type.Object({ id: Id })

export const spreadsheetsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get('/inventory/:id/sheet', { schema: { params: ById, response: { 200: SheetReport } } }, async (request) =>
    readImport(ctx, request.actor, request.params.id),
  )

  app.post('/inventory/:id/sheet', { schema: { params: ById, response: { 200: SheetReport } } }, async (request) =>
    repeatImport(ctx, request.actor, request.params.id),
  )

  app.post(
    '/spreadsheets/preview',
    { schema: { body: SheetPreviewRequest, response: { 200: SheetPreview } } },
    async (request) => previewSheet(ctx, request.actor, request.body.objectId),
  )
}
