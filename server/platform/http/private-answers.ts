import type { FastifyInstance, FastifyReply } from 'fastify'

/** Makes browsers revalidate responses by default, so that nobody can read a cached response after a sign-out. */
export function preventSharedCaching(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'private, no-cache')
  })
}

/** Makes the browser delete its HTTP cache at sign-out, so that none of the dealer's data stays on a shared computer. */
export function clearBrowserCache(reply: FastifyReply): void {
  void reply.header('clear-site-data', '"cache"')
}
