import { randomUUID } from 'node:crypto'
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { apiEndpoints } from '#client/content/api-docs.ts'
import type { ErrorBody } from '#shared/errors.ts'
import type { ApiKey, ApiKeyScope, CreatedApiKey } from '#shared/schemas/account.ts'
import type { Deal } from '#shared/schemas/deals.ts'
import type { Chat, Message, RecentMessage } from '#shared/schemas/messaging.ts'
import type { BuyOrder } from '#shared/schemas/wanted.ts'
import { type Caller, startApp as start } from '#tests/support/app.ts'
import { writtenOut } from '#tests/support/calls.ts'
import { addCalls } from '#tests/support/limits.ts'
import { aBuyOrder } from '#tests/support/wanted.ts'

const startApp: typeof start = async (...args) => {
  const app = await start(...args)
  return { ...app, signIn: (name, about) => app.signIn(name, { plan: 'enterprise', ...about }) }
}

const app = await startApp(t)
t.beforeEach(app.startOver)

const makeKey = async (dealer: Caller, scope: ApiKeyScope = 'read', name = 'Website') =>
  (await dealer.post<CreatedApiKey>('/api/api-keys', { name, scope })).body

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

t.test("lets a key read its dealer's deals and shows its last use", async (t) => {
  const { signIn, visitor } = app
  const dealer = await signIn('Webb Bros')
  const { key, secret } = await makeKey(dealer)
  t.match(secret, /^lw_live_[\w-]{43}$/)
  t.equal(key.lastUsedAt, null)
  const { status, body } = await visitor.get<Deal[]>('/api/deals', undefined, bearer(secret))
  t.equal(status, 200)
  t.same(body, [])
  const [listed] = (await dealer.get<ApiKey[]>('/api/api-keys')).body
  t.ok(listed?.lastUsedAt)
  t.notOk('secret' in (listed ?? {}))
})

t.test("lets a full key send a message and the other side's read-only key read it", async (t) => {
  const { signIn, visitor } = app
  const [seller, buyer, stranger] = [await signIn('Webb Bros'), await signIn('Herrera & Sons'), await signIn('Other')]
  const chat = (await seller.post<Chat>('/api/chats', { dealerId: buyer.id })).body
  const sender = bearer((await makeKey(seller, 'full')).secret)
  const sent = await visitor.post<Message>('/api/messages', { chatId: chat.id, content: 'Held for you' }, sender)
  t.equal(sent.status, 201)
  const reader = bearer((await makeKey(buyer)).secret)
  for (const path of ['/api/messages', `/api/messages?chatId=${chat.id}`]) {
    const { body } = await visitor.get<RecentMessage[]>(path, undefined, reader)
    t.match(body, [{ chatId: chat.id, senderId: seller.id, content: 'Held for you' }])
  }
  const foreign = bearer((await makeKey(stranger)).secret)
  t.same((await visitor.get('/api/messages', undefined, foreign)).body, [])
  t.equal((await visitor.get(`/api/messages?chatId=${chat.id}`, undefined, foreign)).status, 404)
})

t.test('does not store the secret of a key', async (t) => {
  const { signIn, server } = app
  const { secret } = await makeKey(await signIn())
  const rows = await server.ctx.db.selectFrom('apiKeys').selectAll().execute()
  t.notMatch(JSON.stringify(rows), secret)
  t.notMatch(rows[0]?.hash.toString('latin1') ?? '', secret)
})

t.test('refuses a revoked or unknown key at once', async (t) => {
  const { signIn, visitor } = app
  const dealer = await signIn()
  const { key, secret } = await makeKey(dealer)
  t.equal((await dealer.delete(`/api/api-keys/${key.id}`)).status, 204)
  t.equal((await visitor.get('/api/deals', undefined, bearer(secret))).status, 401)
  t.equal((await visitor.get('/api/deals', undefined, bearer('lw_live_nonsense'))).status, 401)
  t.equal((await visitor.get('/api/deals')).status, 401)
  t.same((await dealer.get('/api/api-keys')).body, [])
})

t.test('lets no read-only key send, and no key use undocumented endpoints', async (t) => {
  const { signIn, visitor } = app
  const dealer = await signIn()
  const read = await makeKey(dealer, 'read')
  const full = await makeKey(dealer, 'full')
  const refused = await visitor.post<ErrorBody>('/api/messages', { chatId: 'x', content: 'Hello' }, bearer(read.secret))
  t.equal(refused.status, 403)
  t.equal(refused.body.error.message, 'This API key is read-only')
  for (const path of ['/api/auth/me', '/api/api-keys', '/api/inventory', `/api/deals/${dealer.id}`])
    t.equal((await visitor.get(path, undefined, bearer(full.secret))).status, 403, path)
  t.equal((await visitor.post('/api/api-keys', { name: 'Mine', scope: 'full' }, bearer(full.secret))).status, 403)
  t.equal((await visitor.delete(`/api/api-keys/${read.key.id}`, undefined, bearer(full.secret))).status, 403)
})

t.test('lets any key read buy orders and full keys change them, as documented', async (t) => {
  const { signIn, visitor } = app
  const dealer = await signIn()
  await app.server.ctx.db
    .updateTable('dealers')
    .set({ emailVerifiedAt: new Date() })
    .where('id', '=', dealer.id)
    .execute()
  const [read, full] = [bearer((await makeKey(dealer)).secret), bearer((await makeKey(dealer, 'full')).secret)]
  const order = aBuyOrder()
  t.match(await visitor.post('/api/buy-orders', order, read), {
    status: 403,
    body: { error: { message: 'This API key is read-only' } },
  })
  const placed = await visitor.post<BuyOrder>('/api/buy-orders', order, full)
  t.equal(placed.status, 201)
  for (const path of ['/api/buy-orders', '/api/buy-orders/matches'])
    t.equal((await visitor.get(path, undefined, read)).status, 200, path)
  t.equal((await visitor.post('/api/buy-orders/preview', order, read)).status, 200)
  const { id } = placed.body
  const callsOf = { patch: `/api/buy-orders/${id}`, post: `/api/buy-orders/${id}/${id}/dismiss` } as const
  t.equal((await visitor.patch(callsOf.patch, { act: 'pause' }, read)).status, 403)
  t.equal((await visitor.patch(callsOf.patch, { act: 'pause' }, full)).status, 200)
  t.equal((await visitor.post(callsOf.post, undefined, read)).status, 403)
  t.equal((await visitor.post(callsOf.post, undefined, full)).status, 404, 'the dealer has no such match')
})

t.test('accepts keys on every endpoint documented for keys', async (t) => {
  const dealer = await app.signIn()
  const { secret } = await makeKey(dealer, 'full')
  const { body } = await dealer.get<{ paths: Record<string, Record<string, { description?: string }>> }>(
    '/api/docs/json',
  )
  const described = Object.entries(body.paths).flatMap(([path, calls]) =>
    Object.entries(calls).flatMap(([method, { description = '' }]) =>
      description.includes('Open to API keys') ? [[method, path.replaceAll(/\{\w+\}/g, randomUUID())] as const] : [],
    ),
  )
  t.equal(described.length, 7)
  for (const [method, path] of described)
    t.notMatch(
      (await app.visitor[method as 'get' | 'post' | 'patch'](path, method === 'get' ? undefined : {}, bearer(secret)))
        .status,
      /^40[13]$/,
      `${method} ${path}`,
    )
})

t.test('documents which calls accept a key and how to send it', async (t) => {
  const dealer = await app.signIn()
  const [read, full] = [await makeKey(dealer), await makeKey(dealer, 'full')]
  const { body } = await dealer.get<{
    components: { securitySchemes: Record<string, { scheme?: string }> }
    paths: Record<string, Record<string, { security: Record<string, unknown>[] }>>
  }>('/api/docs/json')
  t.match(body.components.securitySchemes, { read: { scheme: 'bearer' }, full: { scheme: 'bearer' } })
  const described = Object.entries(body.paths).flatMap(([path, calls]) =>
    Object.entries(calls).flatMap(([method, { security }]) =>
      security.some((one) => 'read' in one || 'full' in one)
        ? { method, path, kinds: security.flatMap((one) => Object.keys(one)) }
        : [],
    ),
  )
  for (const { method, path } of apiEndpoints)
    t.ok(
      described.some((one) => one.method === method.toLowerCase() && one.path === path),
      `${method} ${path}`,
    )
  t.equal(described.length, 12)
  for (const { method, path, kinds } of described) {
    t.ok(kinds.includes('session'))
    const call = (secret: string) =>
      app.visitor[method as 'get' | 'post' | 'patch'](
        path.replaceAll(/\{\w+\}/g, randomUUID()),
        method === 'get' ? undefined : {},
        bearer(secret),
      )
    t.notMatch(String((await call(full.secret)).status), /^40[13]$/, `${method} ${path}`)
    const expected = kinds.includes('full') ? /^403$/ : /^(?!40[13])/
    t.match(String((await call(read.secret)).status), expected, `${method} ${path} with a read-only key`)
  }
})

t.test('publishes a valid OpenAPI document that marks calls with file uploads', async (t) => {
  const dealer = await app.signIn()
  const { body } = await dealer.get<{ paths: Record<string, Record<string, { requestBody?: object }>> }>(
    '/api/docs/json',
  )
  t.match(await new Validator().validate(body), { valid: true, errors: undefined })
  t.match(body.paths['/api/profile/avatar']?.['post']?.requestBody, {
    content: { 'multipart/form-data': { schema: { properties: { file: { format: 'binary' } } } } },
  })
  t.match(body.paths['/api/objects/{id}']?.['put']?.requestBody, {
    content: { '*/*': { schema: { format: 'binary' } } },
  })
})

t.test('documents refusals as they are', async (t) => {
  const dealer = await app.signIn()
  const { body } = await dealer.get<{
    components: { responses: Record<string, { content: { 'application/json': { schema: TSchema } } }> }
    paths: Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>
  }>('/api/docs/json')
  for (const [path, calls] of Object.entries(body.paths))
    for (const [method, { responses }] of Object.entries(calls))
      t.equal(responses['default']?.$ref, '#/components/responses/Refusal', `${method} ${path}`)
  const described = body.components.responses['Refusal']?.content['application/json'].schema ?? {}
  const refused = [
    await app.visitor.get('/api/deals'),
    await dealer.get('/api/admin/users'),
    await dealer.get(`/api/dealers/${randomUUID()}`),
    await dealer.get('/api/dealers?limit=none'),
  ]
  t.same(
    refused.map(({ status }) => status),
    [401, 403, 404, 400],
  )
  for (const { status, body: said } of refused) t.ok(Value.Check(described, said), String(status))
})

t.test('requires what the document marks as required, and nothing that has a default', async (t) => {
  const dealer = await app.signIn()
  const { paths } = (await dealer.get<{ paths: Record<string, Record<string, DescribedCall>> }>('/api/docs/json')).body
  for (const [path, { get }] of Object.entries(paths)) {
    if (get?.parameters === undefined || path.includes('{')) continue
    const required = get.parameters.filter((one) => one.required === true).map(({ name }) => name)
    const { status, body } = await dealer.get(path)
    const isAsked = status === 400 && JSON.stringify(body).includes('"fields"')
    if (required.length === 0) t.notOk(isAsked, `${path} with all fields`)
    else if (status !== 403) t.ok(isAsked, `${path} without ${required.join(', ')}`)
  }
})

interface DescribedCall {
  parameters?: { in: string; name: string; required?: boolean; schema: { maximum?: number } }[]
  responses?: Record<string, { content?: Record<string, { schema: Described }> }>
}
interface Described {
  items?: Described
  properties?: Record<string, Described>
}

/** Returns the field names of the response, or of one item if the response is a list. */
function answeredBy({ responses = {} }: DescribedCall): string[] {
  const status = Object.keys(responses).find((one) => one.startsWith('2')) ?? ''
  const described = responses[status]?.content?.['application/json']?.schema
  return Object.keys((described?.items ?? described)?.properties ?? {})
}

t.test('lists the parameters and response fields of each call on the API page', async (t) => {
  const dealer = await app.signIn()
  const { body } = await dealer.get<{ paths: Record<string, Record<string, DescribedCall>> }>('/api/docs/json')
  const { paths } = writtenOut(body)
  for (const { method, path, query = [], answer } of apiEndpoints) {
    const call = paths[path]?.[method.toLowerCase()] ?? {}
    for (const { name, text } of query) {
      const taken = call.parameters?.find((one) => one.in === 'query' && one.name === name)
      t.ok(taken, `${method} ${path} has parameter ${name}`)
      const maximum = taken?.schema.maximum
      if (maximum !== undefined) t.match(text, `1 to ${maximum}`, `${method} ${path}: ${name}`)
    }
    const shown = [JSON.parse(answer) as object].flat().flatMap((one) => Object.keys(one))
    const answered = new Set(answeredBy(call))
    t.same(
      shown.filter((name) => !answered.has(name)),
      [],
      `${method} ${path} returns the fields shown`,
    )
  }
})

t.test("gives an admin's key no more rights than a dealer's", async (t) => {
  const { signIn, visitor } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  await admin.post(`/api/admin/users/${admin.id}/api-access`, { granted: true })
  const { secret } = await makeKey(admin, 'full')
  t.equal((await visitor.get('/api/admin/contact-messages', undefined, bearer(secret))).status, 403)
})

t.test("shows and revokes only a dealer's own keys", async (t) => {
  const { signIn } = app
  const [owner, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const { key } = await makeKey(owner)
  t.same((await other.get('/api/api-keys')).body, [])
  t.equal((await other.delete(`/api/api-keys/${key.id}`)).status, 404)
  t.equal((await owner.get<ApiKey[]>('/api/api-keys')).body.length, 1)
})

t.test('refuses the keys of a suspended dealer', async (t) => {
  const { signIn, visitor, server } = app
  const dealer = await signIn()
  const { secret } = await makeKey(dealer)
  await server.ctx.db.updateTable('dealers').set({ suspendedAt: new Date() }).where('id', '=', dealer.id).execute()
  t.equal((await visitor.get('/api/deals', undefined, bearer(secret))).status, 401)
})

t.test('allows ten keys per dealer, even with simultaneous requests', async (t) => {
  const { signIn } = app
  const dealer = await signIn()
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => dealer.post('/api/api-keys', { name: `Key ${n}`, scope: 'read' })),
  )
  t.equal(answers.filter(({ status }) => status === 201).length, 10)
  t.equal(answers.filter(({ status }) => status === 409).length, 2)
  t.equal((await dealer.post('/api/api-keys', { name: ' ', scope: 'read' })).status, 400)
  t.equal((await dealer.post('/api/api-keys', { name: 'Key', scope: 'admin' })).status, 400)
})

t.test('allows 120 calls per minute and key', async (t) => {
  const app = await startApp(t, { RATE_LIMITS: 'on' })
  const { key, secret } = await makeKey(await app.signIn())
  const call = () => app.visitor.get('/api/deals', undefined, bearer(secret))
  t.equal((await call()).status, 200)
  await addCalls(app, key.id, 118)
  t.equal((await call()).status, 200, 'the last one')
  const refused = await call()
  t.equal(refused.status, 429)
  t.ok(Number(refused.headers.get('retry-after')) > 0)
})
