import { http, HttpResponse, type JsonBodyType } from 'msw'
import { setupServer } from 'msw/node'
import type { Test } from 'tap'
import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'
import { resetStore } from '#client/lib/slice.ts'
import { AtTheDoor } from '#shared/schemas/auth.ts'
import { MySubscription } from '#shared/schemas/billing.ts'
import { OfferTerms } from '#shared/schemas/deals.ts'

/** Fakes a test's network. An unhandled request or a response outside the contract fails the test. */
export function fakeNetwork(t: Test) {
  const server = setupServer()
  // Requests of the sign-in page, and of every opened post.
  server.use(
    http.get('*/api/auth/joining', () => answer(AtTheDoor, { joining: 'open', needsSetup: false })),
    http.put('*/api/inventory/:id/view', () => new HttpResponse(null, { status: 204 })),
    http.get('*/api/my-subscription', () =>
      answer(MySubscription, { hasSubscription: false, entitlements: [], subscription: null }),
    ),
    http.get('*/api/inventory/:id/market', () => HttpResponse.json([])),
    http.get('*/api/offers/terms', () => answer(OfferTerms, { buyFee: null })),
    http.post('*/api/inventory/impressions', () => new HttpResponse(null, { status: 204 })),
  )
  server.listen({
    onUnhandledRequest: ({ method, url }, print) => {
      t.fail(`nobody answers ${method} ${url}`)
      print.error()
    },
  })
  server.events.on('unhandledException', ({ error }) => void t.error(error))
  t.teardown(() => {
    server.close()
    // Resets state taken from responses, such as the server's clock.
    resetStore()
  })
  return server
}

type Network = ReturnType<typeof fakeNetwork>

/** Returns a JSON response; fails if it does not match the schema in `shared/`. */
export function answer<Schema extends TSchema>(
  schema: Schema,
  value: Static<Schema> & JsonBodyType,
  headers: Record<string, string> = {},
) {
  assertInContract('answer', schema, value)
  return HttpResponse.json(value, { headers })
}

/** Returns the request body; fails if the schema would refuse it. */
export async function sent<Schema extends TSchema>(schema: Schema, request: Request): Promise<Static<Schema>> {
  const body: unknown = await request.json()
  assertInContract('body', schema, body)
  return body as Static<Schema>
}

function assertInContract(what: 'answer' | 'body', schema: TSchema, value: unknown): void {
  const [first] = Value.Errors(withNulls(schema), value)
  if (first) throw new Error(`this ${what} is not in the contract: ${JSON.stringify(first)}`)
}

/** `nullable` is for the serializer; the validator needs a union. */
function withNulls(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || !('nullable' in part)) return part
    const { nullable: _nullable, ...rest } = part
    return { anyOf: [rest, { type: 'null' }] }
  }) as TSchema
}

/** Returns an error response; `fields` are the invalid ones. */
export function refusal(status: number, message: string, fields?: string[]) {
  const code = status === 404 ? 'not_found' : 'internal'
  return HttpResponse.json(
    { error: { code, message, requestId: 'test', ...(fields && { details: { fields } }) } },
    { status },
  )
}

export const away = () => refusal(503, 'The database is away')

/** Delays the first response to a GET. The returned function makes it fail; later responses are normal. */
export function refuseFirst(network: Network, path: string): () => void {
  let refuse = () => {}
  const first = new Promise<void>((resolve) => (refuse = resolve))
  network.use(http.get(path, () => first.then(away), { once: true }))
  return () => refuse()
}

export { http, HttpResponse }
