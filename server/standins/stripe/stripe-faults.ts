interface FaultBody {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  payment_intent?: unknown
}

export class StripeFault extends Error {
  readonly statusCode: number
  readonly body: FaultBody

  constructor(statusCode: number, body: FaultBody) {
    super(body.message)
    this.statusCode = statusCode
    this.body = body
  }
}

export function missing(kind: string, id: string): StripeFault {
  const message = `No such ${kind}: '${id}'`
  return new StripeFault(404, { type: 'invalid_request_error', code: 'resource_missing', message, param: 'id' })
}

export function badRequest(message: string, param?: string, code?: string): StripeFault {
  return new StripeFault(400, {
    type: 'invalid_request_error',
    message,
    ...(param && { param }),
    ...(code && { code }),
  })
}

export function cardError(
  code: string,
  message: string,
  extra: { decline_code?: string; payment_intent?: unknown } = {},
) {
  return new StripeFault(402, { type: 'card_error', code, message, ...extra })
}
