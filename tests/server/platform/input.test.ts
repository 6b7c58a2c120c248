import { sql } from 'kysely'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { CreatedApiKey } from '#shared/schemas/account.ts'
import type { SavedSearch } from '#shared/schemas/saved.ts'
import { isDatabaseDown } from '#server/platform/database/db.ts'
import { startApp } from '#tests/support/app.ts'
import { aPost, publish } from '#tests/support/factories.ts'

const { signIn, url, server, visitor } = await startApp(t)

const anId = '01890a5d-ac96-774b-bcce-b302099a8057'
const messageOf = (body: unknown) => (body as ErrorBody).error.message

t.test('refuses texts that cannot be stored in a body, its keys, a query or an address', async (t) => {
  const dealer = await signIn()
  for (const text of ['a\0b', 'a\uD800b', '\uDC00']) {
    const posted = await dealer.post('/api/inventory', aPost({ vehicles: [{ make: 'Ford', model: text }] }))
    t.equal(posted.status, 400)
    t.match(posted.body, { error: { code: 'bad_request', details: { fields: ['Model'] } } })
    t.equal(messageOf(posted.body), 'Model contains a character that cannot be saved')
    t.equal((await dealer.post('/api/inventory', { ...aPost(), [text]: 1 })).status, 400, 'a key')
    t.equal((await dealer.patch('/api/onboarding', { profile: { city: text } })).status, 400)
  }
  for (const path of ['/api/dealers?name=%00', '/api/inventory?search=a%00', '/api/chats/search?q=%00', '/api/vin/%00'])
    t.equal((await dealer.get(path)).status, 400, path)
  t.equal((await dealer.post('/api/inventory', aPost({ title: 'Two 🚗 and 한국' }))).status, 201)
})

t.test('refuses deeply nested bodies', async (t) => {
  const { cookie } = await signIn()
  const body = `{"title":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const headers = { cookie, 'content-type': 'application/json' }
  t.equal((await fetch(`${url}/api/inventory`, { method: 'POST', headers, body })).status, 400)
})

t.test('accepts ids that PostgreSQL reads as UUIDs only', async (t) => {
  const dealer = await signIn()
  for (const id of [`urn:uuid:${anId}`, `{${anId}}`, '-'.repeat(36), anId.replaceAll('-', '')])
    for (const path of ['inventory', 'dealers', 'chats', 'deal'])
      t.equal((await dealer.get(`/api/${path}/${id}`)).status, 400, `${path} ${id}`)
  t.equal((await dealer.get(`/api/inventory/${anId.toUpperCase()}`)).status, 404)
  t.equal((await dealer.post('/api/inventory', aPost(), { 'idempotency-key': `urn:uuid:${anId}` })).status, 400)
  const tab = await dealer.live()
  for (const kind of ['post', 'chat', 'dealer'] as const)
    t.match(await tab.view({ kind, id: '-'.repeat(36), on: true }), { ok: false, error: { code: 'not_found' } })
})

t.test('refuses a foreign cursor in every list', async (t) => {
  const admin = await signIn('Lanewire', { role: 'admin' })
  const keys = [null, 'x', 1, {}, '-'.repeat(36), `urn:uuid:${anId}`, { at: '2024-02-30 99:99', id: anId }]
  const more = [
    { at: '0000-00-00', id: '-'.repeat(36) },
    { name: 'a\0', id: anId },
    { heat: 1, id: 'f'.repeat(36) },
  ]
  const cursors = [...keys, ...more].map((key) => Buffer.from(JSON.stringify(key)).toString('base64url'))
  const lists = ['inventory', 'inventory?sort=hottest', 'dealers', 'chats', 'admin/users', 'admin/deals', 'admin/audit']
  for (const list of [...lists, 'admin/moderation', 'admin/contact-messages'])
    for (const cursor of ['nonsense', '!!!!', '%00', ...cursors]) {
      const path = `/api/${list}${list.includes('?') ? '&' : '?'}cursor=${cursor}`
      t.equal((await admin.get(path)).status, 400, path)
    }
})

t.test("reports PostgreSQL's data errors as the caller's fault", async (t) => {
  const [seller, buyer] = [await signIn('Webb Bros'), await signIn('Herrera & Sons')]
  const postId = await publish(seller)
  const path = `/api/inventory/${postId}/comments`
  const { db } = server.ctx
  const rule = (name: string) => db.schema.alterTable('comments').addCheckConstraint(name, sql`content <> 'never'`)
  await rule('comments_never').execute()
  await db.schema.alterTable('comments').addUniqueConstraint('comments_once', ['content']).execute()
  t.equal((await buyer.post(path, { content: 'never' })).status, 400)
  t.equal((await buyer.post(path, { content: 'once' })).status, 201)
  const twice = await buyer.post(path, { content: 'once' })
  t.equal(twice.status, 409)
  t.match(twice.body, { error: { code: 'conflict' } })
  t.notMatch(JSON.stringify(twice.body), 'comments_once')
})

t.test('refuses a malformed form', async (t) => {
  const { cookie } = await signIn()
  const head = '--B\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'
  const form = 'multipart/form-data; boundary=B'
  for (const [type, body] of [
    ['multipart/form-data', 'x'],
    ['multipart/form-data; boundary=', head],
    [form, ''],
    [form, 'nonsense'],
    [form, head],
    [form, `${head}cut short`],
    [form, '--B\r\nno header\r\n\r\nx\r\n--B--'],
    [form, '--B--\r\n'],
  ] as const) {
    const headers = { cookie, 'content-type': type }
    const answer = await fetch(`${url}/api/profile/avatar`, { method: 'POST', headers, body })
    t.equal(answer.status, 400, `${type}: ${body}`)
    t.ok(messageOf(await answer.json()))
  }
})

t.test('refuses API keys on the queue dashboard in the usual error format', async (t) => {
  const dealer = await signIn('Acme Motors', { plan: 'enterprise' })
  const { secret } = (await dealer.post<CreatedApiKey>('/api/api-keys', { name: 'Website', scope: 'full' })).body
  for (const path of ['/admin/queues/board', '/admin/queues/board/api/queues']) {
    const answer = await visitor.get<ErrorBody>(path, undefined, { authorization: `Bearer ${secret}` })
    t.equal(answer.status, 403, path)
    t.match(answer.body, { error: { code: 'forbidden', requestId: String } })
  }
})

t.test('refuses a query the queue dashboard cannot parse', async (t) => {
  const { signIn } = await startApp(t)
  const ops = await signIn('Lanewire', { role: 'ops' })
  const path = '/admin/queues/board/api/queues'
  t.equal((await ops.get(`${path}?activeQueue=mail&status=failed`)).status, 200)
  for (const query of ['status=%00', 'status=nonsense', 'activeQueue=%25', 'page=-1', 'page=x', 'jobsPerPage=1e999'])
    t.equal((await ops.get(`${path}?${query}`)).status, 400, query)
})

t.test('saves a search too short for substrings, twice', async (t) => {
  const dealer = await signIn()
  for (const search of ['X5', 'TX', 'M3', 'Ford']) {
    const [first, again] = [
      await dealer.post<SavedSearch>('/api/saved-searches', { search }),
      await dealer.post<SavedSearch>('/api/saved-searches', { search }),
    ]
    t.same([first.status, again.status, again.body.id], [201, 201, first.body.id], search)
  }
})

t.test('reports an invalid statement as a server error, not as an unavailable database', async (t) => {
  const { db } = server.ctx
  const tooMany = sql`select 1 where 1 in (${sql.join(Array.from({ length: 70_000 }, (_, n) => n))})`.execute(db)
  const fault = await tooMany.then(
    () => undefined,
    (error: unknown) => error,
  )
  t.match(fault, { code: '08P01' })
  t.notOk(isDatabaseDown(fault))
})
