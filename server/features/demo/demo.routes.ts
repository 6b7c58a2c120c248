import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SignedIn } from '#shared/schemas/auth.ts'
import { endPreviousSession } from '#server/features/auth/auth.service.ts'
import { DemoStepsAnswer } from '#shared/schemas/demo.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { startSession } from '#server/platform/session/session.ts'
import { demoSteps } from './demo-steps.service.ts'
import { createDemoAccount } from './quick-login.service.ts'

export const demoRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.post('/auth/create-dummy', { schema: { response: { 201: SignedIn } } }, async (request, reply) => {
    const user = await createDemoAccount(ctx, request.address)
    await endPreviousSession(ctx, request.visitor)
    await startSession(ctx.db, ctx.config, request, reply, user.id)
    return reply.code(201).send({ user })
  })

  app.get('/demo/steps', { onRequest: signedIn, schema: { response: { 200: DemoStepsAnswer } } }, async (request) =>
    demoSteps(ctx, request.actor),
  )
}
