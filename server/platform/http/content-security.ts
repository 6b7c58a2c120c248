import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import type { Config } from '#server/config/config.ts'

/** Returns the WebSocket origin, because older browsers do not apply `'self'` to WebSockets. */
const socketOrigin =
  ({ publicUrl }: Config) =>
  (request: IncomingMessage): string => {
    const site = publicUrl ?? `http://${request.headers.host}`
    return URL.canParse(site) ? `${site.startsWith('https:') ? 'wss' : 'ws'}://${new URL(site).host}` : "'self'"
  }

const policyHeader = 'content-security-policy'
/** For responses that are not documents. Prevents other sites from framing them. */
const shortPolicy = "base-uri 'none'; frame-ancestors 'none'"

interface Headers {
  fixed: Record<string, string>
  documents: (request: IncomingMessage) => string
}

function collect(run: (request: IncomingMessage, response: ServerResponse, next: () => void) => void, request = {}) {
  const set: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: unknown) => void (set[name.toLowerCase()] = String(value)),
    removeHeader: () => undefined,
  }
  run(request as IncomingMessage, response as unknown as ServerResponse, () => undefined)
  return set
}

/** Only the barcode worker compiles WebAssembly. A worker follows the policy of its own response, so only that response allows it. */
const compilesPath = /^\/assets\/vin-worker-[\w-]+\.js$/

function securityHeaders(config: Config): Headers {
  const pays = config.stripe.publishableKey !== undefined
  const script = pays ? ['https://js.stripe.com', 'https://*.js.stripe.com'] : []
  const policyWith = (compiling: string[]) =>
    helmet.contentSecurityPolicy({
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...compiling, ...script],
        // Positioned popovers have `style` attributes, which need 'unsafe-inline'.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", socketOrigin(config), ...(pays ? ['https://api.stripe.com'] : [])],
        // hooks.stripe.com shows the bank's authentication (3-D Secure).
        frameSrc: pays ? [...script, 'https://hooks.stripe.com'] : ["'none'"],
        fontSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
      },
    })
  const policy = policyWith([])
  const compilingPolicy = policyWith(["'wasm-unsafe-eval'"])
  const others = helmet({
    contentSecurityPolicy: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: config.publicUrl?.startsWith('https://') === true,
    crossOriginEmbedderPolicy: false,
  })
  return {
    fixed: { ...collect(others), [policyHeader]: shortPolicy },
    documents: (request) =>
      collect(compilesPath.test(request.url ?? '') ? compilingPolicy : policy, request)[policyHeader] ?? '',
  }
}

const isDocument = /^(text\/html|application\/(xhtml\+xml|xml|pdf)|image\/svg)/
/** Matches workers, which follow the policy of their own response. Other scripts follow the page's policy and do not need this header. */
const isWorker = /^\/(sw|assets\/[\w-]+-worker-[\w-]+)\.js$/

/** Returns the security headers that every response gets, for Socket.IO, which responds without Fastify. */
export const fixedHeaders = (config: Config): Readonly<Record<string, string>> => securityHeaders(config).fixed

export function secureAnswers(app: FastifyInstance, config: Config): void {
  const { fixed, documents } = securityHeaders(config)
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers(fixed)
  })
  app.addHook('onSend', async (request, reply) => {
    if (isDocument.test(String(reply.getHeader('content-type'))) || isWorker.test(request.raw.url ?? ''))
      void reply.header(policyHeader, documents(request.raw))
  })
}
