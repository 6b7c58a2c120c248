import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { VerifyEmail } from '#shared/schemas/account.ts'
import {
  AuthenticatorCode,
  AuthenticatorSecret,
  NewPasskey,
  PasskeyChange,
  PasskeyOptions,
  PasskeySignIn,
  RecoveryCodes,
  SecondFactorAnswer,
  SignedIn,
  WithProof,
} from '#shared/schemas/auth.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { ById, nothing } from '#server/platform/http/route-schemas.ts'
import { startSession } from '#server/platform/session/session.ts'
import { endPreviousSession } from '../auth.service.ts'
import { mailProofLink, proveByLink, type GivenProof, proofOptions } from './proof.service.ts'
import { siteOf } from './passkeys.service.ts'
import {
  addPasskey,
  confirmAuthenticator,
  deletePasskey,
  type FactorAdded,
  renamePasskey,
  renewRecoveryCodes,
  startAuthenticator,
  startPasskey,
  turnOffAuthenticator,
} from './second-factor.service.ts'
import {
  type SignInCall,
  cancelSignIn,
  finishSignIn,
  optionsForAnyPasskey,
  optionsToFinish,
  signInByPasskey,
} from '../sign-in.service.ts'

export const secondFactorSignInRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  const signedInAnswer = { response: { 200: SignedIn } }

  app.post('/auth/second-factor/options', { schema: { response: { 200: PasskeyOptions } } }, async (request, reply) =>
    optionsToFinish(ctx, { request, reply }, siteOf(ctx.config, request)),
  )
  app.post(
    '/auth/second-factor',
    { schema: { body: SecondFactorAnswer, ...signedInAnswer } },
    async (request, reply) => {
      const user = await finishSignIn(ctx, { request, reply }, request.body, siteOf(ctx.config, request))
      await endPreviousSession(ctx, request.visitor)
      return { user }
    },
  )
  app.delete('/auth/second-factor', { schema: { response: nothing } }, async (request, reply) => {
    await cancelSignIn(ctx, { request, reply })
    return reply.code(204).send(null)
  })
  app.post('/auth/passkeys/sign-in/options', { schema: { response: { 200: PasskeyOptions } } }, async (request) =>
    optionsForAnyPasskey(ctx, request.address, siteOf(ctx.config, request)),
  )
  app.post('/auth/passkeys/sign-in', { schema: { body: PasskeySignIn, ...signedInAnswer } }, async (request, reply) => {
    const user = await signInByPasskey(ctx, { request, reply }, request.body.passkey, siteOf(ctx.config, request))
    await endPreviousSession(ctx, request.visitor)
    return { user }
  })
}

export const secondFactorRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)
  app.addHook('onSend', async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
  })

  /** Adding the first factor ends all sessions, so this browser gets a new one. */
  async function answerAdded({ request, reply }: SignInCall, { isFirst, recoveryCodes }: FactorAdded) {
    if (isFirst) await startSession(ctx.db, ctx.config, request, reply, request.actor.dealerId)
    return { recoveryCodes }
  }
  const givenIn = (request: FastifyRequest & { body: WithProof }): GivenProof => ({
    proof: request.body.proof,
    site: siteOf(ctx.config, request),
  })

  app.post('/auth/proof/options', { schema: { response: { 200: PasskeyOptions } } }, async (request) =>
    proofOptions(ctx, request.actor, siteOf(ctx.config, request)),
  )
  app.post('/auth/proof/mail', { schema: { response: nothing } }, async (request, reply) => {
    await mailProofLink(ctx, request.actor)
    return reply.code(204).send(null)
  })
  app.post('/auth/proof/confirm', { schema: { body: VerifyEmail, response: nothing } }, async (request, reply) => {
    await proveByLink(ctx, request.actor, request.body.token)
    return reply.code(204).send(null)
  })
  app.post(
    '/auth/authenticator',
    { schema: { body: WithProof, response: { 200: AuthenticatorSecret } } },
    async (request) => startAuthenticator(ctx, request.actor, givenIn(request)),
  )
  app.post(
    '/auth/authenticator/confirm',
    { schema: { body: AuthenticatorCode, response: { 200: RecoveryCodes } } },
    async (request, reply) =>
      answerAdded({ request, reply }, await confirmAuthenticator(ctx, request.actor, request.body.code)),
  )
  app.delete('/auth/authenticator', { schema: { body: WithProof, response: nothing } }, async (request, reply) => {
    await turnOffAuthenticator(ctx, request.actor, givenIn(request))
    return reply.code(204).send(null)
  })
  app.post(
    '/auth/passkeys/options',
    { schema: { body: WithProof, response: { 200: PasskeyOptions } } },
    async (request) => startPasskey(ctx, request.actor, givenIn(request)),
  )
  app.post(
    '/auth/passkeys',
    { schema: { body: NewPasskey, response: { 201: RecoveryCodes } } },
    async (request, reply) => {
      const added = await addPasskey(ctx, request.actor, request.body, siteOf(ctx.config, request))
      return reply.code(201).send(await answerAdded({ request, reply }, added))
    },
  )
  app.patch(
    '/auth/passkeys/:id',
    { schema: { params: ById, body: PasskeyChange, response: nothing } },
    async (request, reply) => {
      await renamePasskey(ctx, request.actor, request.params.id, request.body.name)
      return reply.code(204).send(null)
    },
  )
  app.delete(
    '/auth/passkeys/:id',
    { schema: { params: ById, body: WithProof, response: nothing } },
    async (request, reply) => {
      await deletePasskey(ctx, request.actor, request.params.id, givenIn(request))
      return reply.code(204).send(null)
    },
  )
  app.post('/auth/recovery-codes', { schema: { body: WithProof, response: { 200: RecoveryCodes } } }, async (request) =>
    renewRecoveryCodes(ctx, request.actor, givenIn(request)),
  )
}
