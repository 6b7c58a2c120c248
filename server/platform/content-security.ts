import type { FastifyHelmetOptions } from '@fastify/helmet'
import type { Config } from '#server/config.ts'

/** No inline script, no framing; the payment provider's script only where a key for it is configured. */
export function contentSecurity(config: Config): FastifyHelmetOptions {
  const pays = config.stripe.publishableKey !== undefined
  const script = pays ? ['https://js.stripe.com', 'https://*.js.stripe.com'] : []
  const storage = config.s3?.endpoint === undefined ? [] : [new URL(config.s3.endpoint).origin]
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...script],
        // Positioned popovers set style attributes; there is no inline script.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...storage],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", 'ws:', 'wss:', ...(pays ? ['https://api.stripe.com'] : []), ...storage],
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
