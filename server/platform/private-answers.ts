import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * Answers to calls depend on who asks. Unless a route says otherwise, no shared cache keeps them, and a browser asks again each
 * time, so that nobody reads them after a sign-out.
 */
export function keepAnswersPrivate(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'private, no-cache')
  })
}

/** After a sign-out: the browser drops what it has cached, so that nothing of the dealer is on a shared computer. */
export function forgetAnswers(reply: FastifyReply): void {
  void reply.header('clear-site-data', '"cache"')
}
