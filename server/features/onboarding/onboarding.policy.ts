import type { FastifyRequest } from 'fastify'
import type { DealerRole } from '#shared/schemas/dealers.ts'
import { AppError } from '#server/errors.ts'

/** Dealers trade under their profile; staff come by invitation, with the name that an admin typed. */
export const needsProfile = (role: DealerRole): boolean => role === 'dealer'

const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * What may be written without a profile: what leads to one, the way in and out, the account's own safety and its end, and what
 * every visitor may send.
 */
const openWrites = new Set([
  'POST /api/auth/complete-profile',
  'PATCH /api/onboarding',
  'POST /api/objects/upload',
  'PUT /api/objects/:id',
  'POST /api/profile/email',
  'POST /api/profile/email/confirm',
  'POST /api/auth/login',
  'POST /api/auth/signup',
  'POST /api/auth/create-dummy',
  'POST /api/auth/logout',
  'POST /api/auth/google/link',
  'DELETE /api/auth/google',
  'POST /api/auth/password/forgot',
  'POST /api/auth/password/reset',
  'POST /api/auth/password/change',
  'POST /api/auth/keys/revoke',
  'POST /api/auth/email/verify',
  'POST /api/auth/email/resend',
  'DELETE /api/auth/sessions',
  'DELETE /api/auth/sessions/:id',
  'DELETE /api/account',
  'POST /api/contact',
  'POST /api/newsletter',
  'POST /api/status/subscriptions',
  'POST /api/webhooks/stripe',
])

/** Hook of every call: who has no dealer profile yet may look around and finish it. @throws 403 `profile_required` */
export async function requireProfile({ visitor, method, routeOptions }: FastifyRequest): Promise<void> {
  if (visitor === undefined || visitor.profileComplete || !needsProfile(visitor.role) || reads.has(method)) return
  if (openWrites.has(`${method} ${routeOptions.url}`)) return
  throw new AppError(403, 'profile_required', 'Finish your dealer profile first')
}
