import type { FastifyRequest } from 'fastify'
import type { DealerRole } from '#shared/schemas/dealers.ts'
import { AppError, forbidden, unauthorized } from '#server/errors.ts'
import type { Context } from './context.ts'
import type { Actor } from './session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls. Reading it on a route without a guard throws 401 rather than answering nobody. */
    actor: Actor
    /** Who calls, if anybody. */
    visitor: Actor | undefined
    /** Where it comes from, as the balancers that are trusted say. */
    address: string
  }
}

/**
 * Guard: any signed-in dealer. Registered with `onRequest`, so that a stranger learns nothing from the validation.
 */
export async function signedIn(request: FastifyRequest): Promise<void> {
  if (request.visitor === undefined) throw unauthorized()
}

const secondFactorRequired = () =>
  new AppError(
    403,
    'second_factor_required',
    'This network requires a second factor for staff. Set one up under Settings first',
  )

/**
 * Guard: one of these roles; others learn only that they may not. Whoever has it but for a second factor is told so.
 * @throws 403 `second_factor_required`
 */
export function requireRole(...roles: DealerRole[]) {
  return async (request: FastifyRequest): Promise<void> => {
    if (request.visitor === undefined) throw unauthorized()
    const { role, withheldRole } = request.visitor
    if (roles.includes(role)) return
    throw withheldRole !== undefined && roles.includes(withheldRole) ? secondFactorRequired() : forbidden()
  }
}

/** A `dealerId` in a body or path is the session's own, or refused. */
export function assertSelf(actor: Actor, dealerId: string | undefined): void {
  if (dealerId !== undefined && dealerId !== actor.dealerId)
    throw new AppError(403, 'forbidden', 'You can only do this for your own dealership')
}

/** More than any person asks in a minute of one kind of read. */
const readsPerMinute = 120

/**
 * Counts a read that costs the database more than a moment. A key counts by itself: a program must not use up what the
 * screens of its dealer need.
 * @throws AppError 429
 */
export async function countRead({ limiter }: Pick<Context, 'limiter'>, actor: Actor, what: string): Promise<void> {
  const reader = actor.sessionId.startsWith('key:') ? actor.sessionId : actor.dealerId
  await limiter.consume({ name: `read-${what}`, max: readsPerMinute, seconds: 60 }, reader)
}
