import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import {
  AdminUser,
  AdminUsersPage,
  AdminUsersQuery,
  AdmissionVerdict,
  ApiAccess,
  Invitation,
  LicenseVerdict,
  NewInvitation,
  ProvenNewUser,
  ProvenReason,
  ProvenSuspension,
  ProvenUserChange,
  WithOptionalReason,
} from '#shared/schemas/admin.ts'
import { byOf } from '#server/features/audit/audit.service.ts'
import { siteOf } from '#server/features/auth/second-factor/passkeys.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { countRead, requireRole } from '#server/platform/http/guards.ts'
import { ById, nothing } from '#server/platform/http/route-schemas.ts'
import { exportUsers } from '../admin-export.service.ts'
import {
  changeApiAccess,
  createUsersList,
  deleteUser,
  editUser,
  judgeAdmission,
  judgeLicense,
  restoreUserBidding,
  reinstateUser,
  suspendUser,
  userDetail,
} from './admin-users.service.ts'
import { inviteDealer, inviteUser, listInvitations, resendInvitation, revokeInvitation } from './invitations.service.ts'

const answer = { 200: AdminUser }

export const adminUsersRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  const users = createUsersList(ctx)
  app.addHook('onRequest', requireRole('admin'))
  // Clear the cache before the response is sent, so that the client's next request counts the change.
  app.addHook('onSend', async (request) => {
    if (request.method !== 'GET') users.forget()
  })

  app.get(
    '/admin/users',
    { schema: { querystring: AdminUsersQuery, response: { 200: AdminUsersPage } } },
    async ({ actor, query }) => {
      await countRead(ctx, actor, 'admin-users')
      return users.page(query)
    },
  )
  app.get('/admin/users/export.csv', async (request, reply) =>
    reply
      .type('text/csv; charset=utf-8')
      .header(
        'content-disposition',
        `attachment; filename="lanewire-users-${ctx.now().toISOString().slice(0, 10)}.csv"`,
      )
      .send(await exportUsers(ctx, byOf(request))),
  )
  app.post('/admin/users', { schema: { body: ProvenNewUser, response: { 201: AdminUser } } }, async (request, reply) =>
    reply.code(201).send(await inviteUser(ctx, byOf(request), request.body, siteOf(ctx.config, request))),
  )
  app.get('/admin/users/:id', { schema: { params: ById, response: answer } }, async (request) =>
    userDetail(ctx, request.params.id),
  )
  app.patch(
    '/admin/users/:id',
    { schema: { params: ById, body: ProvenUserChange, response: answer } },
    async (request) => editUser(ctx, byOf(request), request.params.id, request.body, siteOf(ctx.config, request)),
  )
  app.delete(
    '/admin/users/:id',
    { schema: { params: ById, body: ProvenReason, response: nothing } },
    async (request, reply) => {
      await deleteUser(ctx, byOf(request), request.params.id, request.body, siteOf(ctx.config, request))
      return reply.code(204).send(null)
    },
  )
  app.post(
    '/admin/users/:id/suspend',
    { schema: { params: ById, body: ProvenSuspension, response: answer } },
    async (request) => suspendUser(ctx, byOf(request), request.params.id, request.body, siteOf(ctx.config, request)),
  )
  app.post(
    '/admin/users/:id/reinstate',
    { schema: { params: ById, body: WithOptionalReason, response: answer } },
    async (request) => reinstateUser(ctx, byOf(request), request.params.id, request.body.reason),
  )
  app.post(
    '/admin/users/:id/bidding',
    { schema: { params: ById, body: WithOptionalReason, response: answer } },
    async (request) => restoreUserBidding(ctx, byOf(request), request.params.id, request.body.reason),
  )
  app.post(
    '/admin/users/:id/license',
    { schema: { params: ById, body: LicenseVerdict, response: answer } },
    async (request) => judgeLicense(ctx, byOf(request), request.params.id, request.body),
  )
  app.post(
    '/admin/users/:id/api-access',
    { schema: { params: ById, body: ApiAccess, response: answer } },
    async (request) => changeApiAccess(ctx, byOf(request), request.params.id, request.body.granted),
  )
  app.post(
    '/admin/users/:id/admission',
    { schema: { params: ById, body: AdmissionVerdict, response: answer } },
    async (request) => judgeAdmission(ctx, byOf(request), request.params.id, request.body),
  )

  await app.register(invitationsRoutes, { ctx })
}

const invitationsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  await app.register(invitationRoutes, { ctx })
}

const invitationRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.get('/admin/invitations', { schema: { response: { 200: Type.Array(Invitation) } } }, async () =>
    listInvitations(ctx),
  )
  app.post(
    '/admin/invitations',
    { schema: { body: NewInvitation, response: { 201: Invitation } } },
    async (request, reply) => reply.code(201).send(await inviteDealer(ctx, byOf(request), request.body.email)),
  )
  app.post(
    '/admin/invitations/:id/resend',
    { schema: { params: ById, response: { 200: Invitation } } },
    async (request) => resendInvitation(ctx, byOf(request), request.params.id),
  )
  app.delete('/admin/invitations/:id', { schema: { params: ById, response: nothing } }, async (request, reply) => {
    await revokeInvitation(ctx, byOf(request), request.params.id)
    return reply.code(204).send(null)
  })
}
