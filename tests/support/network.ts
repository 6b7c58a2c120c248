import { http, HttpResponse, type JsonBodyType } from 'msw'
import { setupServer } from 'msw/node'
import type { Test } from 'tap'
import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'
import { resetStore } from '#client/lib/slice.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { AtTheDoor } from '#shared/schemas/auth.ts'
import { MySubscription } from '#shared/schemas/billing.ts'
import { OfferTerms } from '#shared/schemas/deals.ts'
import type { EndsAuction } from '#shared/schemas/posts.ts'

/** The network of one test: what is not answered here, or not as the contract says, fails the test. */
export function fakeNetwork(t: Test) {
  const server = setupServer()
  // What everybody at the door asks, and who opens a post says and asks.
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
    // What answers said of the server, such as its clock.
    resetStore()
  })
  return server
}

type Network = ReturnType<typeof fakeNetwork>

/** A JSON answer that the contract allows: one that has drifted from `shared/` fails the test. */
export function answer<Schema extends TSchema>(
  schema: Schema,
  value: Static<Schema> & JsonBodyType,
  headers: Record<string, string> = {},
) {
  assertInContract('answer', schema, value)
  return HttpResponse.json(value, { headers })
}

/** What was sent, as the server would take it: a body that its schema refuses fails the test. */
export async function sent<Schema extends TSchema>(schema: Schema, request: Request): Promise<Static<Schema>> {
  const body: unknown = await request.json()
  assertInContract('body', schema, body)
  return body as Static<Schema>
}

function assertInContract(what: 'answer' | 'body', schema: TSchema, value: unknown): void {
  const [first] = Value.Errors(withNulls(schema), value)
  if (first) throw new Error(`this ${what} is not in the contract: ${JSON.stringify(first)}`)
}

/** `nullable` is the serialiser's word; the validator wants the union. */
function withNulls(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || !('nullable' in part)) return part
    const { nullable: _nullable, ...rest } = part
    return { anyOf: [rest, { type: 'null' }] }
  }) as TSchema
}

/** A refusal in the one shape of them; `fields` are those that a schema refuses. */
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

export const away = () => refusal(503, 'The database is away')

/** The answer to a change of a post that would end its auction and was not confirmed. */
export function wouldEndAuction() {
  const details: EndsAuction = { code: 'ENDS_AUCTION' }
  const error = { code: 'conflict', message: 'This change would end the auction', requestId: 'test', details }
  return HttpResponse.json({ error }, { status: 409 })
}

/** Holds the first answer of a GET back; what is returned lets it be a refusal. Those after it are as usual. */
export function refuseFirst(network: Network, path: string): () => void {
  let refuse = () => {}
  const first = new Promise<void>((resolve) => (refuse = resolve))
  network.use(http.get(path, () => first.then(away), { once: true }))
  return () => refuse()
}

export { http, HttpResponse }
