import type { FastifyRequest } from 'fastify'
import type { By } from './audit.service.ts'

/** Who asks, as the audit log wants to know it. */
export const byOf = (request: FastifyRequest): By => ({ actor: request.actor, requestId: request.id })
