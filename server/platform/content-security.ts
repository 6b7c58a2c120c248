import type { FastifyHelmetOptions } from '@fastify/helmet'
import type { Config } from '#server/config.ts'

/** No inline script, no framing; the payment provider's script only where a key for it is configured. */
export function contentSecurity(config: Config): FastifyHelmetOptions {
  const stripe = config.stripe.publishableKey === undefined ? [] : ['https://js.stripe.com', 'https://api.stripe.com']
  const storage = config.s3?.endpoint === undefined ? [] : [new URL(config.s3.endpoint).origin]
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...stripe],
        // Positioned popovers set style attributes; there is no inline script.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...storage],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", 'ws:', 'wss:', ...stripe, ...storage],
        frameSrc: stripe.length === 0 ? ["'none'"] : stripe,
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
