import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import {
  FailedJobs,
  JobRefs,
  JobsTouched,
  OpsOverview,
  OpsQueuesQuery,
  QueueChoice,
  SystemHealth,
} from '#shared/schemas/ops.ts'
import { byOf } from '#server/features/audit/audit.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { countRead, requireRole } from '#server/platform/http/guards.ts'
import { nothing } from '#server/platform/http/route-schemas.ts'
import { discardJobs, failedJobs, retryAllJobs, retryJobs, setPaused } from './ops-jobs.service.ts'
import { opsOverview, systemHealth } from './ops.service.ts'

const params = Type.Object({ name: Type.String({ maxLength: 40 }) })
const touched = { 200: JobsTouched }

export const opsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', requireRole('ops', 'admin'))

  app.get('/ops/health', { schema: { response: { 200: SystemHealth } } }, async ({ actor }) => {
    await countRead(ctx, actor, 'ops-health')
    return systemHealth(ctx)
  })
  app.get(
    '/ops/queues',
    { schema: { querystring: OpsQueuesQuery, response: { 200: OpsOverview } } },
    async ({ actor, query }) => {
      await countRead(ctx, actor, 'ops-queues')
      return opsOverview(ctx, query.range ?? '1h')
    },
  )
  app.get(
    '/ops/jobs/failed',
    { schema: { querystring: QueueChoice, response: { 200: FailedJobs } } },
    async (request) => failedJobs(ctx, request.query.queue),
  )
  app.post('/ops/jobs/retry', { schema: { body: JobRefs, response: touched } }, async (request) => ({
    count: await retryJobs(ctx, byOf(request), request.body.jobs),
  }))
  app.post('/ops/jobs/retry-all', { schema: { body: QueueChoice, response: touched } }, async (request) => ({
    count: await retryAllJobs(ctx, byOf(request), request.body.queue),
  }))
  app.post('/ops/jobs/discard', { schema: { body: JobRefs, response: touched } }, async (request) => ({
    count: await discardJobs(ctx, byOf(request), request.body.jobs),
  }))
  for (const [verb, paused] of [
    ['pause', true],
    ['resume', false],
  ] as const)
    app.post(`/ops/queues/:name/${verb}`, { schema: { params, response: nothing } }, async (request, reply) => {
      await setPaused(ctx, byOf(request), request.params.name, paused)
      return reply.code(204).send(null)
    })
}
