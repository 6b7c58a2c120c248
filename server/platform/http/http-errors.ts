import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody, ErrorCode } from '#shared/errors.ts'
import { AppError, badRequest, conflict, unavailable } from '#server/errors.ts'
import Stripe from 'stripe'
import { type CountRefusal, Overloaded } from '../process/load-shedding.ts'
import { isDatabaseDown, isOverdue, ProcessBusy, rejectionOf } from '../database/db.ts'
import { RateLimited, setRateLimitHeaders } from '../limits.ts'
import { StorageAway, StorageFull } from '../storage/storage.ts'
import { validationMessage } from './validation.ts'

const codeByStatus: Record<number, ErrorCode> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media',
  429: 'rate_limited',
}

const readable: Record<number, string> = {
  400: 'The request could not be read',
  413: 'This is too large to send',
  415: 'This type of content is not accepted here',
}

function ofDatabase(error: Error): AppError | undefined {
  if (error instanceof ProcessBusy) return new Overloaded()
  if (isDatabaseDown(error)) return unavailable()
  if (isOverdue(error)) return unavailable('This is taking longer than usual. Try again in a moment')
  const reason = rejectionOf(error)
  if (reason === 'value')
    return badRequest('This request contains a value that cannot be saved. Check it and try again')
  if (reason === 'conflict') return conflict('This conflicts with a newer change. Reload and try again')
  return undefined
}

function toAppError(error: FastifyError | AppError | Error): AppError {
  if (error instanceof AppError) return error
  if (error instanceof StorageFull)
    return unavailable(
      "Lanewire's file storage is full. Nothing was changed. Ask the people running this server to free up space.",
    )
  if (error instanceof StorageAway)
    return unavailable('Lanewire cannot reach its file storage right now. Nothing was changed. Try again in a moment.')
  const refused = ofDatabase(error)
  if (refused !== undefined) return refused
  // Do not pass on Stripe's status codes, because they are about our requests to Stripe, not about the caller's request.
  if (error instanceof Stripe.errors.StripeError)
    return unavailable('The payment provider cannot be reached right now. Nothing was charged. Try again.')
  const { validation, validationContext, statusCode } = error as FastifyError
  if (validation !== undefined) {
    const { message, fields } = validationMessage(validation, validationContext)
    return new AppError(400, 'bad_request', message, { fields })
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError(
      statusCode,
      codeByStatus[statusCode] ?? 'bad_request',
      readable[statusCode] ?? 'The request was not accepted',
    )
  return new AppError(500, 'internal', 'Something went wrong on our side. Try again.')
}

function send(request: FastifyRequest, reply: FastifyReply, error: AppError): void {
  const body: ErrorBody = {
    error: {
      code: error.code,
      message: error.message,
      ...(error.details !== undefined && { details: error.details }),
      requestId: request.id,
    },
  }
  const retryAfter = (error.details as { retryAfter?: number } | undefined)?.retryAfter
  if (error.status === 503) void reply.header('retry-after', '2')
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter))
  if (error instanceof RateLimited) setRateLimitHeaders(reply, error.allowance)
  // Serialize the error here, because otherwise the route's response schema might drop its fields.
  void reply.code(error.status).type('application/json; charset=utf-8').serializer(String).send(JSON.stringify(body))
}

export function registerErrorHandling(app: FastifyInstance, countRefusal: CountRefusal): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refused = toAppError(error)
    if (refused instanceof Overloaded) {
      countRefusal(request, error instanceof ProcessBusy ? 'no_connection' : 'too_many')
      // Logging every refusal would slow down an overloaded process. load-shedding.ts logs the number of refusals every second.
      request.log.debug({ err: error }, 'request refused')
    } else if (refused.status >= 500) request.log.error({ err: error }, 'request failed')
    // Log it, because our own code should have rejected the value before PostgreSQL did.
    else if (rejectionOf(error) !== undefined) request.log.warn({ err: error }, 'PostgreSQL rejected a value')
    send(request, reply, refused)
  })
}

/** Async handlers must return the reply. If they return nothing, Fastify sends a second response. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  send(request, reply, new AppError(404, 'not_found', 'Nothing was found at this address'))
  return reply
}
