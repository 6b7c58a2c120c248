import type { FastifyReply } from 'fastify'

/** 304 without any body: a serialised `null` would announce four bytes that never come (RFC 9110 §15.4.5). */
export function notModified<Reply extends Pick<FastifyReply, 'code' | 'send'>>(reply: Reply): Reply {
  reply.code(304).send()
  return reply
}
