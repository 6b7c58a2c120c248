import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SignedIn } from '#shared/schemas/auth.ts'
import { CompleteProfile, EmailCorrection, OnboardingPatch, OnboardingProgress } from '#shared/schemas/onboarding.ts'
import { rememberBrowser } from '#server/features/auth/known-browser.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { nothing } from '#server/platform/http/route-schemas.ts'
import { completeProfile, correctEmail, onboardingProgress, saveProgress } from './onboarding.service.ts'

export const onboardingRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.get(
    '/onboarding',
    { onRequest: signedIn, schema: { response: { 200: OnboardingProgress } } },
    async ({ actor }) => onboardingProgress(ctx, actor.dealerId),
  )
  app.patch(
    '/onboarding',
    { onRequest: signedIn, schema: { body: OnboardingPatch, response: nothing } },
    async ({ actor, body }, reply) => {
      await saveProgress(ctx, actor.dealerId, body)
      return reply.code(204).send(null)
    },
  )
  app.post(
    '/onboarding/email',
    { onRequest: signedIn, schema: { body: EmailCorrection, response: nothing } },
    async (request, reply) => {
      const { actor, body, address } = request
      await correctEmail(ctx, actor, body.email, address)
      rememberBrowser(ctx, { request, reply }, body.email)
      return reply.code(204).send(null)
    },
  )
  app.post(
    '/auth/complete-profile',
    { onRequest: signedIn, schema: { body: CompleteProfile, response: { 200: SignedIn } } },
    async ({ actor, body }) => ({ user: await completeProfile(ctx, actor, body) }),
  )
}
