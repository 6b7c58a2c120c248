import type { FastifyRequest } from 'fastify'
import type { DealerRole } from '#shared/schemas/dealers.ts'
import { AppError } from '#server/errors.ts'

/** Staff need no profile, because an admin entered their name in the invitation. */
export const needsProfile = (role: DealerRole): boolean => role === 'dealer'

const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Writes that an account may make before it has a profile and is approved. */
const openWrites = new Set([
  'POST /api/auth/complete-profile',
  'PATCH /api/onboarding',
  'POST /api/onboarding/email',
  'POST /api/objects/upload',
  'PUT /api/objects/:id',
  'POST /api/profile/email',
  'POST /api/profile/email/confirm',
  'POST /api/auth/login',
  'POST /api/auth/signup',
  'POST /api/auth/create-dummy',
  'POST /api/auth/logout',
  'POST /api/auth/setup',
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
  'POST /api/auth/second-factor/options',
  'POST /api/auth/second-factor',
  'DELETE /api/auth/second-factor',
  'POST /api/auth/passkeys/sign-in/options',
  'POST /api/auth/passkeys/sign-in',
  'POST /api/auth/proof/options',
  'POST /api/auth/proof/mail',
  'POST /api/auth/proof/confirm',
  'POST /api/auth/authenticator',
  'POST /api/auth/authenticator/confirm',
  'DELETE /api/auth/authenticator',
  'POST /api/auth/passkeys/options',
  'POST /api/auth/passkeys',
  'PATCH /api/auth/passkeys/:id',
  'DELETE /api/auth/passkeys/:id',
  'POST /api/auth/recovery-codes',
  'POST /api/account/export',
  'DELETE /api/account',
  'POST /api/contact',
  'POST /api/newsletter',
  'POST /api/status/subscriptions',
  'POST /api/lists/:list/leave',
  'POST /api/webhooks/stripe',
])

/** Reads that are allowed while an account waits for approval: the account's own data, and everything that visitors may read. */
const openReads = new Set([
  'GET /api/auth/status',
  'GET /api/auth/joining',
  'GET /api/auth/me',
  'GET /api/auth/security',
  'GET /api/auth/google',
  'GET /api/auth/google/callback',
  'GET /api/onboarding',
  'GET /api/account/export',
  'GET /api/account/export/:id',
  // uploads.service.ts allows a waiting account only its own files.
  'GET /api/objects/:id',
  'GET /api/objects/:id/status',
  'GET /api/subscription-plans',
  'GET /api/payment-config',
  'GET /api/status',
  'GET /api/status/incidents',
  'GET /api/activity-ticker',
  'GET /api/lists/:list/confirm',
  'GET /api/lists/:list/leave',
  'GET /api/demo/mail',
])

/** Accounts that wait for approval or were declined cannot use the network. @throws 403 `approval_required` */
export async function requireAdmission({ visitor, method, routeOptions }: FastifyRequest): Promise<void> {
  if (visitor === undefined || visitor.admitted) return
  const name = `${method === 'HEAD' ? 'GET' : method} ${routeOptions.url}`
  if (openReads.has(name) || openWrites.has(name)) return
  throw new AppError(
    403,
    'approval_required',
    'Your dealership is being reviewed. You can use the network once it is approved',
  )
}

/** A dealer without a profile can read, but make only the writes in `openWrites`. @throws 403 `profile_required` */
export async function requireProfile({ visitor, method, routeOptions }: FastifyRequest): Promise<void> {
  if (visitor === undefined || visitor.profileComplete || reads.has(method)) return
  if (!needsProfile(visitor.withheldRole ?? visitor.role)) return
  if (openWrites.has(`${method} ${routeOptions.url}`)) return
  throw new AppError(403, 'profile_required', 'Finish your dealer profile first')
}
