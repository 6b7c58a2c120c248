import type { FastifyReply } from 'fastify'

/** Sends a 304 without a body. A serialized `null` would announce four bytes that never arrive (RFC 9110, 15.4.5). */
export function notModified<Reply extends Pick<FastifyReply, 'code' | 'send'>>(reply: Reply): Reply {
  reply.code(304).send()
  return reply
}
