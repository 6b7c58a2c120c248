import type { FastifyInstance, FastifyReply } from 'fastify'

/** By default, the browser must revalidate each response before it shows it, so that nobody can read the response after a sign-out. */
export function preventSharedCaching(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'private, no-cache')
  })
}

/** Used at sign-out, so that none of the dealer's data stays on a shared computer. */
export function clearBrowserCache(reply: FastifyReply): void {
  void reply.header('clear-site-data', '"cache"')
}
