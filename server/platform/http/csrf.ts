import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config/config.ts'
import { badRequest, forbidden } from '#server/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts requests from any site. Safe only if the route ignores the session. */
    fromAnySite?: boolean
  }
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

export function isOwnOrigin(config: Config, origin: string, host: string | undefined): boolean {
  if (config.publicUrl !== undefined && origin === config.publicUrl) return true
  try {
    return host !== undefined && new URL(origin).host === host
  } catch {
    return false
  }
}

/** Returns the public URL or, without one, the origin in the Host header. @throws 400 if the header is invalid (RFC 9110, 7.2) */
export function ownOrigin({ publicUrl }: Pick<Config, 'publicUrl'>, { protocol, host }: FastifyRequest): string {
  if (publicUrl !== undefined) return publicUrl
  const named = `${protocol}://${host}`
  if (!URL.canParse(named)) throw badRequest('The Host header is not a valid host name')
  return named
}

/**
 * Rejects unsafe requests that a browser sent from another site. Current browsers send Sec-Fetch-Site or Origin. A request with neither
 * comes from a program, and other sites cannot make a program send a user's cookies.
 * @throws 403
 */
export function assertSameOrigin(config: Config, request: FastifyRequest): void {
  if (safeMethods.has(request.method) || request.routeOptions.config.fromAnySite === true) return
  const site = request.headers['sec-fetch-site']
  const origin = request.headers.origin
  if (origin !== undefined && isOwnOrigin(config, origin, request.headers.host)) return
  if (site === 'same-origin' || site === 'none') return
  if (site === undefined && origin === undefined) return
  throw forbidden('This request came from another site')
}
