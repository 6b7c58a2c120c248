import {
  apiCallsPerMinute,
  type ApiKey,
  apiKeysPerDealer,
  type ApiKeyScope,
  type CreatedApiKey,
  type NewApiKey,
} from '#shared/schemas/account.ts'
import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { conflict, forbidden, notFound, unauthorized } from '#server/errors.ts'
import type { Site } from '../second-factor/passkeys.service.ts'
import { checkProof } from '../second-factor/proof.service.ts'
import { requireEntitlement } from '#server/features/entitlements/entitlements.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db } from '#server/platform/database/db.ts'
import { hashSecret } from '#server/platform/secrets.ts'
import type { Actor } from '#server/platform/session/session.ts'
import {
  countKeys,
  findWorkingKey,
  insertKey,
  listKeys,
  revokeAllKeys,
  revokeKey,
  touchKey,
} from './api-keys.repository.ts'

/** Endpoints that accept API keys, and the minimum scope for each. */
const endpoints = new Map<string, ApiKeyScope>([
  ['GET /api/dealers', 'read'],
  ['POST /api/dealers/connect', 'full'],
  ['GET /api/messages', 'read'],
  ['POST /api/messages', 'full'],
  ['GET /api/deals', 'read'],
  ['GET /api/find', 'read'],
  ['GET /api/buy-orders', 'read'],
  ['POST /api/buy-orders', 'full'],
  ['PATCH /api/buy-orders/:id', 'full'],
  ['POST /api/buy-orders/preview', 'read'],
  ['GET /api/buy-orders/matches', 'read'],
  ['POST /api/buy-orders/:orderId/:vehicleId/dismiss', 'full'],
])

export function scopeOf(method: string, route: string | undefined): ApiKeyScope | undefined {
  return endpoints.get(`${method} ${route}`)
}

function mayCall(scope: ApiKeyScope, needed: ApiKeyScope): boolean {
  return scope === 'full' || needed === 'read'
}

const perKey = { name: 'api-key', max: apiCallsPerMinute, seconds: 60 }
const wrongKeys = { name: 'api-key-wrong', max: 30, seconds: 60 }
const made = { name: 'api-key-made', max: 20, seconds: 3_600 }
const touchEveryMs = 60_000
const shownCharacters = 12

/** @throws 402 or 403 without API access; 403 if proof of identity is missing or wrong; 409 if the dealer has the maximum number of keys */
export async function createKey(
  ctx: Context,
  actor: Actor,
  { proof, ...input }: NewApiKey,
  site: Site,
): Promise<CreatedApiKey> {
  await requireEntitlement(ctx.db, actor.dealerId, 'apiAccess')
  const { change } = await checkProof(ctx, actor, { proof, site })
  const secret = `lw_live_${randomBytes(32).toString('base64url')}`
  const key = await change(async (tx, emit, { email }) => {
    await ctx.limiter.consume(made, actor.dealerId)
    await emit.job('mail.accessChanged', { to: email, what: 'apiKey.made' })
    if ((await countKeys(tx, actor.dealerId)) >= apiKeysPerDealer)
      throw conflict(`You already have ${apiKeysPerDealer} keys. Revoke one you no longer need`)
    return insertKey(tx, actor.dealerId, {
      name: input.name.trim(),
      scope: input.scope,
      prefix: secret.slice(0, shownCharacters),
      hash: hashSecret(secret),
    })
  })
  return { key, secret }
}

/** @throws 404 if the key does not exist, is already revoked, or belongs to another dealer */
export async function removeKey(ctx: Context, actor: Actor, id: string): Promise<void> {
  if (!(await revokeKey(ctx.db, actor.dealerId, id))) throw notFound('This key')
}

export const listLiveKeys = (db: Db, dealerId: string): Promise<ApiKey[]> => listKeys(db, dealerId)

export const revokeKeys = (db: Db, dealerId: string): Promise<void> => revokeAllKeys(db, dealerId)

/** @throws 401 if the key is invalid; 403 if it may not make this call; 402 or 403 without API access; 429 if its rate limit is exceeded */
export async function actorOfKey(ctx: Context, request: FastifyRequest): Promise<Actor | undefined> {
  const secret = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (secret === undefined) return undefined
  const needed = scopeOf(request.method, request.routeOptions.url)
  const key = await findWorkingKey(ctx.db, hashSecret(secret))
  if (key === undefined) {
    await ctx.limiter.consume(wrongKeys, request.address)
    throw unauthorized('This API key does not work. It may have been revoked')
  }
  await ctx.limiter.consume(perKey, key.id, key.dealerId)
  if (needed === undefined) throw forbidden('API keys work on the documented endpoints only')
  if (!mayCall(key.scope, needed)) throw forbidden('This API key is read-only')
  await requireEntitlement(ctx.db, key.dealerId, 'apiAccess')
  if (key.lastUsedAt === null || Date.now() - key.lastUsedAt.getTime() > touchEveryMs) await touchKey(ctx.db, key.id)
  const { dealerId, name, profileCompletedAt, waitingSince } = key
  return {
    dealerId,
    role: 'dealer',
    name,
    profileComplete: profileCompletedAt !== null,
    admitted: waitingSince === null,
    sessionId: `key:${key.id}`,
  }
}
