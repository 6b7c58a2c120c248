import type { FastifyRequest } from 'fastify'
import type { DealerRole } from '#shared/schemas/dealers.ts'
import { AppError, forbidden, unauthorized } from '#server/errors.ts'
import type { Context } from '../process/context.ts'
import type { Actor } from '../session/session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in caller. If nobody is signed in, reading this property throws 401. */
    actor: Actor
    visitor: Actor | undefined
    /** The client's IP address, found behind trusted proxies. */
    address: string
  }
}

/** Accepts any signed-in dealer. Runs in `onRequest`, before validation, so anonymous callers get a 401 and no validation errors. */
export async function signedIn(request: FastifyRequest): Promise<void> {
  if (request.visitor === undefined) throw unauthorized()
}

const secondFactorRequired = () =>
  new AppError(
    403,
    'second_factor_required',
    'This network requires a second factor for staff. Set one up under Settings first',
  )

/** @throws 401 if nobody is signed in; 403 `second_factor_required` if staff lack a required second factor; otherwise 403 `forbidden` */
export function requireRole(...roles: DealerRole[]) {
  return async (request: FastifyRequest): Promise<void> => {
    if (request.visitor === undefined) throw unauthorized()
    const { role, withheldRole } = request.visitor
    if (roles.includes(role)) return
    throw withheldRole !== undefined && roles.includes(withheldRole) ? secondFactorRequired() : forbidden()
  }
}

/** @throws 403 if `dealerId`, from a body or path, is set and is not the caller's own id */
export function assertSelf(actor: Actor, dealerId: string | undefined): void {
  if (dealerId !== undefined && dealerId !== actor.dealerId)
    throw new AppError(403, 'forbidden', 'You can only do this for your own dealership')
}

/** More reads than one person makes. */
const readsPerMinute = 120

/** Rate-limits an expensive read. Each API key has a limit of its own, apart from its dealer's. @throws RateLimited */
export async function countRead({ limiter }: Pick<Context, 'limiter'>, actor: Actor, what: string): Promise<void> {
  const reader = actor.sessionId.startsWith('key:') ? actor.sessionId : actor.dealerId
  await limiter.consume({ name: `read-${what}`, max: readsPerMinute, seconds: 60 }, reader)
}
