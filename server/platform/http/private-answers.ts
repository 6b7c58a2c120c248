import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * Keeps responses out of shared caches, because they depend on the caller. Unless a route sets another `Cache-Control`, the
 * browser has to revalidate a response with the server before showing it, so that nobody can read it after a sign-out.
 */
export function preventSharedCaching(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'private, no-cache')
  })
}

/** Makes the browser clear its cache after a sign-out, so that none of the dealer's data stays on a shared computer. */
export function clearBrowserCache(reply: FastifyReply): void {
  void reply.header('clear-site-data', '"cache"')
}
