import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { DealerRole } from '#shared/schemas/dealers.ts'
import type { Config } from '#server/config/config.ts'
import { unauthorized } from '#server/errors.ts'
import type { Context } from '../process/context.ts'
import type { Db } from '../database/db.ts'
import { hashSecret } from '../secrets.ts'
import { findSession, findStaffRule, insertSession, type CheckedAccount, touchSession } from './session.repository.ts'

/** `sessionId` is the session secret's hash in hex, or `key:` and an API key's id. It names the socket room and grants no access. */
export interface Actor {
  dealerId: string
  role: DealerRole
  name: string
  profileComplete: boolean
  /** False while the account still needs an admin's approval. */
  admitted: boolean
  sessionId: string
  /** The role that staff get once they set up a second factor. Until then, they have a dealer's rights. */
  withheldRole?: DealerRole
}

const cacheMs = 1_000
const cacheMax = 10_000
const touchEveryMs = 60_000

/** The `__Host-` prefix requires Secure, so sites without https use the name without the prefix. */
export function cookieName(config: Config): string {
  return isSecure(config) ? '__Host-lanewire' : 'lanewire'
}

function isSecure(config: Config): boolean {
  return config.publicUrl?.startsWith('https://') === true
}

/** Caches the actors of recent requests for a second, so that polling does not query PostgreSQL for every request. */
export class ActorCache {
  readonly #actors = new LRUCache<string, Actor>({ max: cacheMax, ttl: cacheMs })
  #forgotten = 0

  /**
   * Does not cache an actor whose profile, approval or second factor is pending, so that its completion takes effect on every node at once.
   * Does not cache the actor either if any actor was evicted during `load`, because the loaded data may be outdated.
   */
  async get(sessionId: string, load: () => Promise<Actor | undefined>): Promise<Actor | undefined> {
    const known = this.#actors.get(sessionId)
    if (known !== undefined) return known
    const before = this.#forgotten
    const actor = await load()
    const isWhole = actor?.profileComplete === true && actor.admitted && actor.withheldRole === undefined
    if (isWhole && this.#forgotten === before) this.#actors.set(sessionId, actor)
    return actor
  }

  /** Drops the dealer's cached actors. Call this on sign-out, on suspension, and whenever the dealer's permissions change. */
  evictDealer(dealerId: string): void {
    this.#forgotten += 1
    for (const [id, actor] of this.#actors.entries()) if (actor.dealerId === dealerId) this.#actors.delete(id)
  }
}

export async function resolveActor(
  ctx: Pick<Context, 'db' | 'config'>,
  cache: ActorCache,
  secret: string,
): Promise<Actor | undefined> {
  const hash = hashSecret(secret)
  const sessionId = hash.toString('hex')
  return cache.get(sessionId, async () => {
    const row = await findSession(ctx.db, hash)
    if (row === undefined) return undefined
    if (Date.now() - row.lastSeenAt.getTime() > touchEveryMs) await touchSession(ctx.db, hash)
    const { dealerId, role, name, profileCompletedAt, waitingSince } = row
    const profileComplete = profileCompletedAt !== null
    const actor = { dealerId, name, profileComplete, admitted: waitingSince === null, sessionId }
    // Withhold the role here, so that routes, sockets and policies see an ordinary dealer.
    const isDue =
      role !== 'dealer' && row.secondFactorAt === null && (row.staffSecondFactor ?? ctx.config.staffSecondFactor)
    return isDue ? { ...actor, role: 'dealer', withheldRole: role } : { ...actor, role }
  })
}

export async function staffNeedSecondFactor(db: Db, config: Config): Promise<boolean> {
  return (await findStaffRule(db)) ?? config.staffSecondFactor
}

/** A new random secret prevents session fixation. @throws 401 if the account is gone, suspended or changed since the sign-in check */
export async function startSession(
  db: Db,
  config: Config,
  request: FastifyRequest,
  reply: FastifyReply,
  dealerId: string,
  letIn: CheckedAccount = {},
): Promise<void> {
  const secret = randomBytes(32).toString('base64url')
  const session = {
    hash: hashSecret(secret),
    dealerId,
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    address: request.address,
  }
  if (!(await insertSession(db, session, letIn))) throw unauthorized()
  void reply.setCookie(cookieName(config), secret, cookieOptions(config))
}

export function clearSessionCookie(config: Config, reply: FastifyReply): void {
  void reply.clearCookie(cookieName(config), cookieOptions(config))
}

/** Options of short-lived cookies for sign-ins. The browser sends them only to the sign-in routes. */
export const shortLivedCookie = (config: Config) => ({
  path: '/api/auth',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: isSecure(config),
})

function cookieOptions(config: Config) {
  return { path: '/', httpOnly: true, sameSite: 'lax' as const, secure: isSecure(config), maxAge: 60 * 24 * 3_600 }
}
