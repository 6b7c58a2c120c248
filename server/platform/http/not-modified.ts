import type { FastifyReply } from 'fastify'

/** Sends a 304 without a body. `send(null)` would announce a body of four bytes that never arrives (RFC 9110, 15.4.5). */
export function notModified<Reply extends Pick<FastifyReply, 'code' | 'send'>>(reply: Reply): Reply {
  reply.code(304).send()
  return reply
}
