import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { StatusReport } from '#shared/schemas/ops.ts'
import type { Context } from '#server/platform/context.ts'
import { statusReport } from './status.service.ts'

/** A public page that everybody opens when something is wrong must not add to it: asked once in so many milliseconds. */
const sharedMs = 2_000

export const statusRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  let shared: { report: Promise<StatusReport>; until: number } | undefined

  app.get('/status', { schema: { response: { 200: StatusReport } } }, async (_request, reply) => {
    if (shared === undefined || shared.until < Date.now())
      shared = { report: statusReport(ctx), until: Date.now() + sharedMs }
    void reply.header('cache-control', 'no-store')
    return shared.report
  })
}
