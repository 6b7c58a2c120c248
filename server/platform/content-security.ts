import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import type { Config } from '#server/config.ts'

/** Older browsers do not take `'self'` for the sockets of the same site. */
const socketOrigin =
  ({ publicUrl }: Config) =>
  (request: IncomingMessage): string => {
    const site = publicUrl ?? `http://${request.headers.host}`
    return URL.canParse(site) ? `${site.startsWith('https:') ? 'wss' : 'ws'}://${new URL(site).host}` : "'self'"
  }

const policyHeader = 'content-security-policy'
/** For answers that are no page: whatever a browser may yet make of one, no other site frames it. */
const shortPolicy = "base-uri 'none'; frame-ancestors 'none'"

interface Headers {
  /** On every answer. */
  fixed: Record<string, string>
  /** On what a browser shows as a page of its own. */
  documents: (request: IncomingMessage) => string
}

/** What a middleware that sets headers sets. */
function collect(run: (request: IncomingMessage, response: ServerResponse, next: () => void) => void, request = {}) {
  const set: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: unknown) => void (set[name.toLowerCase()] = String(value)),
    removeHeader: () => undefined,
  }
  run(request as IncomingMessage, response as unknown as ServerResponse, () => undefined)
  return set
}

/** The worker that reads barcodes compiles WebAssembly; no page does, and a worker has the policy of its own answer. */
const compilesPath = /^\/assets\/vin-worker-[\w-]+\.js$/

/** No inline script, no framing; the payment provider's script only where a key for it is configured. */
function securityHeaders(config: Config): Headers {
  const pays = config.stripe.publishableKey !== undefined
  const script = pays ? ['https://js.stripe.com', 'https://*.js.stripe.com'] : []
  const policyWith = (compiling: string[]) =>
    helmet.contentSecurityPolicy({
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...compiling, ...script],
        // Positioned popovers set style attributes; there is no inline script.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", socketOrigin(config), ...(pays ? ['https://api.stripe.com'] : [])],
        // The last is where a bank asks its question.
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

/** What a browser opens as a page. */
const isDocument = /^(text\/html|application\/(xhtml\+xml|xml|pdf)|image\/svg)/
/** A worker's script has the policy of its own answer; of all other scripts that of their page counts, and 1.3 KB a file are saved. */
const isWorker = /^\/(sw|assets\/[\w-]+-worker-[\w-]+)\.js$/

/** Headers that tell browsers what an answer may do: computed once, and the long policy where it says something. */
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
