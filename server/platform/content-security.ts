import type { IncomingMessage } from 'node:http'
import type { FastifyHelmetOptions } from '@fastify/helmet'
import type { Config } from '#server/config.ts'

/** Older browsers do not take `'self'` for the sockets of the same site. */
const socketOrigin =
  ({ publicUrl }: Config) =>
  (request: IncomingMessage): string => {
    const site = publicUrl ?? `http://${request.headers.host}`
    return URL.canParse(site) ? `${site.startsWith('https:') ? 'wss' : 'ws'}://${new URL(site).host}` : "'self'"
  }

/** No inline script, no framing; the payment provider's script only where a key for it is configured. */
export function contentSecurity(config: Config): FastifyHelmetOptions {
  const pays = config.stripe.publishableKey !== undefined
  const script = pays ? ['https://js.stripe.com', 'https://*.js.stripe.com'] : []
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...script],
        // Positioned popovers set style attributes; there is no inline script.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", socketOrigin(config), ...(pays ? ['https://api.stripe.com'] : [])],
        // The last is where a bank asks its question.
        frameSrc: pays ? [...script, 'https://hooks.stripe.com'] : ["'none'"],
        fontSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
      },
    },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: config.publicUrl?.startsWith('https://') === true,
    crossOriginEmbedderPolicy: false,
  }
}
