import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DealerRole } from '#shared/schemas/dealers.ts'
import type { Config } from '#server/config.ts'
import { unauthorized } from '#server/errors.ts'
import type { Context } from './context.ts'
import type { Db } from './db.ts'
import { findSession, insertSession, touchSession } from './session.repository.ts'

/** Who is calling. `sessionId` is the hash of the session's secret, in hex: it names the room, it opens nothing. */
export interface Actor {
  dealerId: string
  role: DealerRole
  name: string
  sessionId: string
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

export const hashSession = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Actors of recent requests, for a second: a poll need not ask PostgreSQL who it is. */
export class ActorCache {
  readonly #entries = new Map<string, { actor: Actor; until: number }>()

  get(id: string): Actor | undefined {
    const entry = this.#entries.get(id)
    if (entry === undefined || entry.until < Date.now()) return undefined
    return entry.actor
  }

  set(id: string, actor: Actor): void {
    if (this.#entries.size >= cacheMax) this.#entries.clear()
    this.#entries.set(id, { actor, until: Date.now() + cacheMs })
  }

  /** At sign-out, suspension and every change of rights. */
  forgetDealer(dealerId: string): void {
    for (const [id, { actor }] of this.#entries) if (actor.dealerId === dealerId) this.#entries.delete(id)
  }
}

/** The actor behind a session secret, or undefined. */
export async function resolveActor(
  ctx: Pick<Context, 'db'>,
  cache: ActorCache,
  secret: string,
): Promise<Actor | undefined> {
  const hash = hashSession(secret)
  const sessionId = hash.toString('hex')
  const cached = cache.get(sessionId)
  if (cached !== undefined) return cached
  const row = await findSession(ctx.db, hash)
  if (row === undefined) return undefined
  if (Date.now() - row.lastSeenAt.getTime() > touchEveryMs) await touchSession(ctx.db, hash)
  const actor: Actor = { dealerId: row.dealerId, role: row.role as DealerRole, name: row.name, sessionId }
  cache.set(sessionId, actor)
  return actor
}

/**
 * Opens a session with a new random id (so a planted one is worth nothing) and sets its cookie.
 * @param passwordHash of the password that let them in, where one did
 * @throws 401 when the account has another one by now
 */
export async function startSession(
  db: Db,
  config: Config,
  request: FastifyRequest,
  reply: FastifyReply,
  dealerId: string,
  passwordHash?: string,
): Promise<void> {
  const secret = randomBytes(32).toString('base64url')
  const session = {
    hash: hashSession(secret),
    dealerId,
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    address: request.address,
  }
  if (!(await insertSession(db, session, passwordHash))) throw unauthorized()
  void reply.setCookie(cookieName(config), secret, cookieOptions(config))
}

export function clearSessionCookie(config: Config, reply: FastifyReply): void {
  void reply.clearCookie(cookieName(config), cookieOptions(config))
}

function cookieOptions(config: Config) {
  return { path: '/', httpOnly: true, sameSite: 'lax' as const, secure: isSecure(config), maxAge: 60 * 24 * 3_600 }
}
