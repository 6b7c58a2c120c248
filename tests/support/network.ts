import { http, HttpResponse, type JsonBodyType } from 'msw'
import { setupServer } from 'msw/node'
import type { Test } from 'tap'
import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'
import { resetStore } from '#client/lib/storage/store-slice.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { JoiningStatus } from '#shared/schemas/auth.ts'
import { MySubscription } from '#shared/schemas/billing.ts'
import { DealPaper, OfferTerms } from '#shared/schemas/deals.ts'
import type { EndsAuction } from '#shared/schemas/posts.ts'
import { jitter } from './jitter.ts'

const neverSettles = new Promise<void>(() => undefined)

const aPaper: DealPaper = {
  title: 'A paper',
  reference: 'A-1, version 1',
  issued: '',
  parties: [],
  vehicle: [],
  price: null,
  statement: '',
  signatures: [],
}

/** Fakes the network of a test. Fails the test on an unhandled request or a response that violates the API contract. */
export function fakeNetwork(t: Test) {
  const server = setupServer()
  // Default responses for requests that the sign-in page and every opened post or deal send.
  server.use(
    http.get('*/api/auth/joining', () => answer(JoiningStatus, { joining: 'open', needsSetup: false })),
    http.put('*/api/inventory/:id/view', () => new HttpResponse(null, { status: 204 })),
    http.get('*/api/my-subscription', () =>
      answer(MySubscription, { hasSubscription: false, entitlements: [], subscription: null }),
    ),
    http.get('*/api/inventory/:id/market', () => HttpResponse.json([])),
    http.get('*/api/offers/terms', () => answer(OfferTerms, { buyFee: null })),
    http.get('*/api/deal/:id/documents/:documentId/text', () => answer(DealPaper, aPaper)),
    http.post('*/api/inventory/impressions', () => new HttpResponse(null, { status: 204 })),
  )
  server.listen({
    onUnhandledRequest: ({ method, url }, print) => {
      t.fail(`nobody answers ${method} ${url}`)
      print.error()
    },
  })
  const { fetch } = globalThis
  let isOver = false
  // Drop responses that arrive after the test, because code that continues then sends its next request to the next test's server.
  globalThis.fetch = async (...request) => {
    try {
      return await jitter(fetch(...request))
    } finally {
      if (isOver) await neverSettles
    }
  }
  server.events.on('unhandledException', ({ error }) => void t.error(error))
  t.teardown(() => {
    isOver = true
    globalThis.fetch = fetch
    server.close()
    // Reset state that came from responses, such as the server's clock.
    resetStore()
  })
  return server
}

type Network = ReturnType<typeof fakeNetwork>

/** Returns a JSON response. @throws if the value does not match the schema */
export function answer<Schema extends TSchema>(
  schema: Schema,
  value: Static<Schema> & JsonBodyType,
  headers: Record<string, string> = {},
) {
  assertInContract('answer', schema, value)
  return HttpResponse.json(value, { headers })
}

/** Returns the request body. @throws if the body does not match the schema */
export async function sent<Schema extends TSchema>(schema: Schema, request: Request): Promise<Static<Schema>> {
  const body: unknown = await request.json()
  assertInContract('body', schema, body)
  return body as Static<Schema>
}

function assertInContract(what: 'answer' | 'body', schema: TSchema, value: unknown): void {
  const [first] = Value.Errors(withNulls(schema), value)
  if (first) throw new Error(`this ${what} is not in the contract: ${JSON.stringify(first)}`)
}

/** Replaces `nullable`, which only the serializer understands, with a union for the validator. */
function withNulls(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || !('nullable' in part)) return part
    const { nullable: _nullable, ...rest } = part
    return { anyOf: [rest, { type: 'null' }] }
  }) as TSchema
}

/** Returns an error response. `fields` are the names of the fields that failed validation. */
export function refusal(
  status: number,
  message: string,
  fields?: string[],
  code: ErrorCode = status === 404 ? 'not_found' : 'internal',
) {
  return HttpResponse.json(
    { error: { code, message, requestId: 'test', ...(fields && { details: { fields } }) } },
    { status },
  )
}

/** Returns the error response for a request that needs a plan. */
export const needsPlan = (message: string) =>
  HttpResponse.json(
    {
      error: {
        code: 'payment_required',
        message,
        requestId: 'test',
        details: { plan: 'subscribe', planName: 'Basic Plan' },
      },
    },
    { status: 402 },
  )

export const away = () => refusal(503, 'The database is away')

/** Returns the 409 response to a change that would end the auction and was not confirmed. */
export function wouldEndAuction() {
  const details: EndsAuction = { code: 'ENDS_AUCTION' }
  const error = { code: 'conflict', message: 'This change would end the auction', requestId: 'test', details }
  return HttpResponse.json({ error }, { status: 409 })
}

/** Delays the first response to a GET request. Returns a function that makes the delayed request fail. Later requests succeed. */
export function refuseFirst(network: Network, path: string): () => void {
  let refuse = () => {}
  const first = new Promise<void>((resolve) => (refuse = resolve))
  network.use(http.get(path, () => first.then(away), { once: true }))
  return () => refuse()
}

export { http, HttpResponse }
