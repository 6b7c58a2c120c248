import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { StripeFault } from './stripe-faults.ts'
import type { StripeStore } from './stripe-store.ts'

/** Repeats the first response to an idempotency key, even a 4xx error. Reusing a key with other parameters is an error. */
export function replayResponses(app: FastifyInstance, store: StripeStore): void {
  app.addHook('preHandler', async (request, reply) => {
    const key = keyOf(request)
    const kept = key && store.answers[key]
    if (!kept) return
    if (kept.fingerprint !== fingerprintOf(request)) {
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
      throw new StripeFault(400, { type: 'idempotency_error', message })
    }
    await reply
      .code(kept.statusCode)
      .header('idempotent-replayed', 'true')
      .type('application/json; charset=utf-8')
      .send(kept.body)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const key = keyOf(request)
    if (key && typeof payload === 'string' && reply.statusCode < 500 && !reply.hasHeader('idempotent-replayed')) {
      store.answers[key] ??= {
        at: Date.now(),
        fingerprint: fingerprintOf(request),
        statusCode: reply.statusCode,
        body: payload,
      }
    }
    if (request.method !== 'GET') store.save()
    return payload
  })
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  return request.method === 'POST' && typeof key === 'string' ? key : undefined
}

/** Identifies a request by a hash, so that card numbers in its body are not stored. */
function fingerprintOf(request: FastifyRequest): string {
  return createHash('sha256')
    .update(`${request.url}\n${typeof request.body === 'string' ? request.body : ''}`)
    .digest('hex')
}
