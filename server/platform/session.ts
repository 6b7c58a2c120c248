import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { DealerRole } from '#shared/schemas/dealers.ts'
import type { Config } from '#server/config.ts'
import { unauthorized } from '#server/errors.ts'
import type { Context } from './context.ts'
import type { Db } from './db.ts'
import { hashSecret } from './secrets.ts'
import { findSession, findStaffRule, insertSession, type LetIn, touchSession } from './session.repository.ts'

/** Who is calling. `sessionId` is the hash of the session's secret, in hex: it names the room, it opens nothing. */
export interface Actor {
  dealerId: string
  role: DealerRole
  name: string
  /** Step 1 of onboarding is done. */
  profileComplete: boolean
  /** May use the network: waits for no admin. */
  admitted: boolean
  sessionId: string
  /** What `role` would be once the account has a second factor: until then it acts as a dealer's. */
  withheldRole?: DealerRole
}

const cacheMs = 1_000
const cacheMax = 10_000
const touchEveryMs = 60_000

/** `__Host-` wants Secure; a plain-http localhost gets the bare name. */
export function cookieName(config: Config): string {
  return isSecure(config) ? '__Host-lanewire' : 'lanewire'
}

function isSecure(config: Config): boolean {
  return config.publicUrl?.startsWith('https://') === true
}

/** Actors of recent requests, for a second: a poll need not ask PostgreSQL who it is. */
export class ActorCache {
  readonly #actors = new LRUCache<string, Actor>({ max: cacheMax, ttl: cacheMs })
  #forgotten = 0

  /**
   * @param load is not asked while the actor is known. What it found is not kept where somebody was forgotten meanwhile, nor while
   * there is no profile, an admin has to let them in, or a second factor is due: once it is so, the next call counts on every node.
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

  /** At sign-out, suspension and every change of rights. */
  forgetDealer(dealerId: string): void {
    this.#forgotten += 1
    for (const [id, actor] of this.#actors.entries()) if (actor.dealerId === dealerId) this.#actors.delete(id)
  }
}

/** The actor behind a session secret, or undefined. */
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
    // One place decides, so that no route, socket or policy has to ask: each sees a dealer.
    const isDue =
      role !== 'dealer' && row.secondFactorAt === null && (row.staffSecondFactor ?? ctx.config.staffSecondFactor)
    return isDue ? { ...actor, role: 'dealer', withheldRole: role } : { ...actor, role }
  })
}

/** Whether admins and ops staff need a second factor: as an admin has set it, else as the server is configured. */
export async function staffNeedSecondFactor(db: Db, config: Config): Promise<boolean> {
  return (await findStaffRule(db)) ?? config.staffSecondFactor
}

/**
 * Opens a session with a new random id (so a planted one is worth nothing) and sets its cookie.
 * @throws 401 when the account is not any more as they were let in, or suspended by now
 */
export async function startSession(
  db: Db,
  config: Config,
  request: FastifyRequest,
  reply: FastifyReply,
  dealerId: string,
  letIn: LetIn = {},
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

/** Of cookies that carry somebody through signing in, and go no further than those calls. */
export const passingCookie = (config: Config) => ({
  path: '/api/auth',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: isSecure(config),
})

function cookieOptions(config: Config) {
  return { path: '/', httpOnly: true, sameSite: 'lax' as const, secure: isSecure(config), maxAge: 60 * 24 * 3_600 }
}
