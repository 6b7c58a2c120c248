import { http, HttpResponse, type JsonBodyType } from 'msw'
import { setupServer } from 'msw/node'
import type { Test } from 'tap'
import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'

/** The network of one test: what is not answered here fails the test's request. */
export function fakeNetwork(t: Test) {
  const server = setupServer()
  server.listen({ onUnhandledRequest: 'error' })
  t.teardown(() => server.close())
  return server
}

/** A JSON answer that the contract allows: one that has drifted from `shared/` fails the test. */
export function answer<Schema extends TSchema>(
  schema: Schema,
  value: Static<Schema> & JsonBodyType,
  headers: Record<string, string> = {},
) {
  const [first] = Value.Errors(withNulls(schema), value)
  if (first) throw new Error(`this answer is not in the contract: ${JSON.stringify(first)}`)
  return HttpResponse.json(value, { headers })
}

/** `nullable` is the serialiser's word; the validator wants the union. */
function withNulls(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || !('nullable' in part)) return part
    const { nullable: _nullable, ...rest } = part
    return { anyOf: [rest, { type: 'null' }] }
  }) as TSchema
}

/** A refusal in the one shape of them. */
export function refusal(status: number, message: string) {
  const code = status === 404 ? 'not_found' : 'internal'
  return HttpResponse.json({ error: { code, message, requestId: 'test' } }, { status })
}

export { http, HttpResponse }
