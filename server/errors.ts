import type { ErrorCode } from '#shared/errors.ts'
import type { PlanRefusal } from '#shared/plan-refusal.ts'

/** An error response. `message` is safe to show to the caller; `details` is machine-readable. */
export class AppError extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly details: unknown
  constructor(status: number, code: ErrorCode, message: string, details?: unknown) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

/** A startup error that the operator can fix. Its message is printed without a stack trace. */
export class StartFault extends Error {}

export const badRequest = (message: string, details?: unknown) => new AppError(400, 'bad_request', message, details)
export const unauthorized = (message = 'Sign in to continue') => new AppError(401, 'unauthorized', message)
/** `plan` names the plan that includes the feature, for a dialog of the client. It is undefined if a card was declined. */
export const paymentRequired = (message: string, plan?: PlanRefusal) =>
  new AppError(402, 'payment_required', message, plan)
export const forbidden = (message = 'You do not have permission to do this') => new AppError(403, 'forbidden', message)
export const notFound = (what = 'This') => new AppError(404, 'not_found', `${what} was not found`)
export const conflict = (message: string, details?: unknown) => new AppError(409, 'conflict', message, details)
export const tooLarge = (message: string) => new AppError(413, 'too_large', message)
export const unsupportedMedia = (message: string) => new AppError(415, 'unsupported_media', message)
export const unavailable = (message = 'Lanewire cannot reach its database right now. Try again in a moment.') =>
  new AppError(503, 'unavailable', message)
