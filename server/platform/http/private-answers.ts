import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * Answers depend on who asks. Unless a route sets another `Cache-Control`, shared caches do not store them, and a browser asks the
 * server each time before it shows one, so that nobody reads them after a sign-out.
 */
export function preventSharedCaching(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'private, no-cache')
  })
}

/** Tells the browser to drop its cache after a sign-out, so that nothing of the dealer stays on a shared computer. */
export function clearBrowserCache(reply: FastifyReply): void {
  void reply.header('clear-site-data', '"cache"')
}
