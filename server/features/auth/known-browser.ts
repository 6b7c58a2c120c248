import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Context } from '#server/platform/process/context.ts'
import { countedAs } from '#server/platform/http/client-address.ts'
import { type Limit, RateLimited } from '#server/platform/limits.ts'
import { openSealed, seal } from '#server/platform/signing-and-encryption.ts'
import { hashSecret } from '#server/platform/secrets.ts'
import { shortLivedCookie } from '#server/platform/session/session.ts'

/** `accounts` are those that this browser has signed in to, most recent first. */
const Known = Type.Object({ id: Type.String(), accounts: Type.Array(Type.String()), until: Type.Number() })

const cookie = 'lanewire_known'
const purpose = 'known-browser'
const accountsMax = 5
const knownSeconds = 400 * 24 * 3_600

const perAddress: Limit = { name: 'login-address', max: 20, seconds: 60 }
const perAccountAndAddress: Limit = { name: 'login-account-address', max: 5, seconds: 60 }
const perAccount: Limit = { name: 'login-account', max: 300, seconds: 3_600 }
const perKnownBrowser: Limit = { name: 'login-known', max: 5, seconds: 60 }
/** Limits all known browsers of an account together. Their cookies survive a password change, so an attacker may have many of them. */
const perKnownAccount: Limit = { name: 'login-known-account', max: 60, seconds: 3_600 }

/** The cookie contains this hash instead of the email address. */
const markOf = (email: string): string => hashSecret(email.toLowerCase()).toString('base64url')

const knownOf = ({ config, now }: Context, request: FastifyRequest) =>
  openSealed({ secret: config.secret, purpose, schema: Known }, request.cookies[cookie], now().getTime())

/** Sets the cookie that gives this browser a separate limit of password attempts for the account. */
export function rememberBrowser(
  ctx: Context,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  email: string,
): void {
  const { id = randomBytes(16).toString('base64url'), accounts = [] } = knownOf(ctx, request) ?? {}
  const mark = markOf(email)
  const known: Static<typeof Known> = {
    id,
    accounts: [mark, ...accounts.filter((one) => one !== mark)].slice(0, accountsMax),
    until: ctx.now().getTime() + knownSeconds * 1_000,
  }
  const sealed = seal(ctx.config.secret, purpose, known)
  const options = shortLivedCookie(ctx.config)
  // The confirmation of a new email address also needs this cookie, and its path is outside of the sign-in routes.
  void reply.setCookie(cookie, sealed, { ...options, path: '/api', maxAge: knownSeconds })
  // Remove the cookie of earlier versions. On the sign-in routes, it would take precedence over the new one.
  void reply.clearCookie(cookie, options)
}

/**
 * Counts a password attempt. A browser that has signed in to the account before has its own limit, so that strangers cannot lock it out.
 * Once the account's known browsers reach their shared limit, the limits for unknown browsers apply to them, too.
 * @throws 429 if a limit is reached
 */
export async function countPasswordTry(ctx: Context, request: FastifyRequest, email: string): Promise<void> {
  const { address } = request
  const mark = markOf(email)
  const known = knownOf(ctx, request)
  if (known?.accounts.includes(mark)) {
    await ctx.limiter.consume(perKnownBrowser, `${known.id} ${mark}`, address)
    if (await tryConsume(ctx, perKnownAccount, email.toLowerCase())) return
  }
  await ctx.limiter.consume(perAddress, address)
  await ctx.limiter.consume(perAccountAndAddress, `${email.toLowerCase()} ${countedAs(address)}`, address)
  await ctx.limiter.consume(perAccount, email.toLowerCase(), address).catch((error: unknown) => {
    throw error instanceof RateLimited ? tooManyForAccount(error) : error
  })
}

const tryConsume = (ctx: Context, limit: Limit, key: string): Promise<boolean> =>
  ctx.limiter.consume(limit, key).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RateLimited) return false
      throw error
    },
  )

function tooManyForAccount({ allowance: { max, resetSeconds } }: RateLimited): RateLimited {
  const minutes = Math.ceil(resetSeconds / 60)
  const words = `Too many attempts to sign in to this account. Wait ${minutes} min, reset your password, or use a browser you have signed in with before`
  return new RateLimited(resetSeconds, max, words)
}
