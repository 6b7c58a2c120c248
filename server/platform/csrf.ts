import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { badRequest, forbidden } from '#server/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Any site may have a browser call this route: it looks at a key in its address, never at who is signed in. */
    fromAnySite?: boolean
  }
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether an `Origin` header names this site. */
export function isOwnOrigin(config: Config, origin: string, host: string | undefined): boolean {
  if (config.publicUrl !== undefined && origin === config.publicUrl) return true
  try {
    return host !== undefined && new URL(origin).host === host
  } catch {
    return false
  }
}

/**
 * Where the browser that calls is: the public address, else, in development, whatever host it names.
 * @throws 400 where it names none (RFC 9110, section 7.2)
 */
export function ownOrigin({ publicUrl }: Pick<Config, 'publicUrl'>, { protocol, host }: FastifyRequest): string {
  if (publicUrl !== undefined) return publicUrl
  const named = `${protocol}://${host}`
  if (!URL.canParse(named)) throw badRequest('The Host header names no host')
  return named
}

/**
 * Refuses unsafe requests that a browser made for another site. Every current browser sends Fetch-Metadata or
 * Origin with them; a request with neither comes from a program, which carries nobody's cookies by accident.
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
