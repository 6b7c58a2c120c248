import t, { test } from 'tap'
import type { ConnectionChange, ConnectionRequest, DirectoryDealer } from '#shared/schemas/dealers.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import { type Caller, startApp, type TestApp } from '#tests/support/app.ts'
import { untilTaken } from '#tests/support/wait.ts'

const app = await startApp(t)

const requestsOf = async (caller: Caller) =>
  (await caller.get<ConnectionRequest[]>(`/api/connections/requests/${caller.id}`)).body
const rowOf = async (caller: Caller, other: Caller) =>
  (await caller.get<DirectoryDealer[]>('/api/dealers')).body.find(({ id }) => id === other.id)
const countOf = async (caller: Caller) =>
  (await caller.get<{ connectionCount: number }>('/api/auth/me')).body.connectionCount

async function twoDealers(app: TestApp) {
  const ann = await app.signIn('Ann Autos', { name: 'Ann Able' })
  const ben = await app.signIn('Ben Motors', { name: 'Ben Baker' })
  return { ann, ben }
}

test('adds a connection at once and sends the other side a live request', async (t) => {
  const { ann, ben } = await twoDealers(app)
  const tab = await ben.live()
  const { status, body } = await ann.post<ConnectionChange>(`/api/dealers/${ben.id}/connect`)
  t.equal(status, 200)
  t.same(body, { connected: true, degree: null, connectionCount: 1 })
  t.match(await rowOf(ann, ben), { connected: true, degree: null })
  t.match(await rowOf(ben, ann), { connected: false, degree: null, connectionCount: 1 })
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'request')
  t.match(await requestsOf(ben), [{ requester: { id: ann.id, name: 'Ann Able', dealershipName: 'Ann Autos' } }])
  const { items } = (await ben.get<NotificationsPage>('/api/notifications')).body
  t.match(items, [{ kind: 'request', title: 'Ann Able wants to connect', path: `/dealers/${ann.id}` }])

  await ann.post(`/api/dealers/${ben.id}/connect`)
  t.equal((await requestsOf(ben)).length, 1, 'a repeated request notifies nobody again')
  t.equal(await countOf(ann), 1)
})

test('makes an accepted connection mutual, counted and announced on both sides', async (t) => {
  const { ann, ben } = await twoDealers(app)
  await ann.post(`/api/dealers/${ben.id}/connect`)
  const tab = await ann.live()
  const [request] = await requestsOf(ben)
  t.equal(
    (await ann.post(`/api/connections/requests/${request?.id}/accept`)).status,
    404,
    'not by the dealer who sent it',
  )
  const third = await app.signIn('Cy')
  for (const act of ['accept', 'decline'])
    t.equal((await third.post(`/api/connections/requests/${request?.id}/${act}`)).status, 404, 'nor by a third dealer')
  t.equal((await ben.post(`/api/connections/requests/${request?.id}/accept`)).status, 204)
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'connection')
  t.match(await rowOf(ann, ben), { connected: true, degree: '1st', connectionCount: 1 })
  t.match(await rowOf(ben, ann), { connected: true, degree: '1st', connectionCount: 1 })
  t.same(await requestsOf(ben), [])
  t.equal((await ben.post(`/api/connections/requests/${request?.id}/accept`)).status, 404, 'only once')
  const { items } = (await ann.get<NotificationsPage>('/api/notifications')).body
  t.match(items, [{ kind: 'accepted', title: 'You are now connected with Ben Baker' }])
})

test('accepts an open request by connecting back', async (t) => {
  const { ann, ben } = await twoDealers(app)
  await ann.post(`/api/dealers/${ben.id}/connect`)
  const { body } = await ben.post<ConnectionChange>('/api/dealers/connect', { dealerId: ann.id })
  t.same(body, { connected: true, degree: '1st', connectionCount: 1 })
  t.same(await requestsOf(ben), [])
})

test("keeps the asker's connection after a decline and refuses to ask again", async (t) => {
  const { ann, ben } = await twoDealers(app)
  await ann.post(`/api/dealers/${ben.id}/connect`)
  const [request] = await requestsOf(ben)
  await ben.post(`/api/connections/requests/${request?.id}/decline`)
  t.match(await rowOf(ann, ben), { connected: true, degree: null })
  await ann.delete(`/api/dealers/${ben.id}/connect`)
  await ann.post(`/api/dealers/${ben.id}/connect`)
  t.same(await requestsOf(ben), [])
})

test('withdraws an open request and ends a mutual connection on both sides', async (t) => {
  const { ann, ben } = await twoDealers(app)
  await ann.post(`/api/dealers/${ben.id}/connect`)
  await ann.delete(`/api/dealers/${ben.id}/connect`)
  t.same(await requestsOf(ben), [])
  t.equal(await countOf(ann), 0)

  await ann.post(`/api/dealers/${ben.id}/connect`)
  await ben.post(`/api/dealers/${ann.id}/connect`)
  const tab = await ben.live()
  const { body } = await ann.delete<ConnectionChange>(`/api/dealers/${ben.id}/connect`)
  t.same(body, { connected: false, degree: null, connectionCount: 0 })
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'connection')
  t.match(await rowOf(ben, ann), { connected: false, degree: null, connectionCount: 0 })
  t.equal(await countOf(ben), 0)
})

test('counts a connection once if two dealers connect at the same moment', async (t) => {
  const { ann, ben } = await twoDealers(app)
  await Promise.all([
    ann.post(`/api/dealers/${ben.id}/connect`),
    ben.post(`/api/dealers/${ann.id}/connect`),
    ann.post(`/api/dealers/${ben.id}/connect`),
  ])
  t.match(await rowOf(ann, ben), { degree: '1st', connectionCount: 1 })
  t.match(await rowOf(ben, ann), { degree: '1st', connectionCount: 1 })
  t.same(await requestsOf(ann), [])
  t.same(await requestsOf(ben), [])
})

test('hides requests from blocked and suspended dealers', async (t) => {
  const { ann, ben } = await twoDealers(app)
  await ann.post(`/api/dealers/${ben.id}/connect`)
  const [request] = await requestsOf(ben)
  const { body: chat } = await ann.post<{ id: string }>('/api/chats', { dealerId: ben.id })
  for (const blocking of [ann, ben]) {
    await blocking.patch(`/api/chats/${chat.id}`, { blocked: true })
    t.same(await requestsOf(ben), [])
    t.equal((await ben.post(`/api/connections/requests/${request?.id}/accept`)).status, 404)
    await blocking.patch(`/api/chats/${chat.id}`, { blocked: false })
  }
  t.match(await rowOf(ann, ben), { connected: true, degree: null })
  const suspend = (suspendedAt: Date | null) =>
    app.server.ctx.db.updateTable('dealers').set({ suspendedAt }).where('id', '=', ann.id).execute()
  await suspend(new Date())
  t.same(await requestsOf(ben), [])
  await suspend(null)
  t.match(await requestsOf(ben), [{ id: request?.id }])
  t.equal((await ben.post(`/api/connections/requests/${request?.id}/accept`)).status, 204)
})

test('allows 50 connections without a larger plan, even with concurrent requests', async (t) => {
  const { ann, ben } = await twoDealers(app)
  const others = await Promise.all(Array.from({ length: 50 }, (_, index) => app.signIn(`Other ${index}`)))
  const answers = await Promise.all(
    [...others, ben].map(({ id }) => untilTaken(() => ann.post(`/api/dealers/${id}/connect`))),
  )
  t.equal(answers.filter(({ status }) => status === 200).length, 50)
  const refused = answers.find(({ status }) => status === 402)
  t.match(refused?.body, {
    error: {
      code: 'payment_required',
      message: 'Your plan includes up to 50 connections. The Premium Plan has no limit',
      details: { plan: 'upgrade', planName: 'Premium Plan', connectionLimit: 50 },
    },
  })
  t.equal(await countOf(ann), 50)
  const { db } = app.server.ctx
  const owing = { planId: 'premium', status: 'past_due' } as const
  await db.updateTable('subscriptions').set(owing).where('dealerId', '=', ann.id).execute()
  const another = await app.signIn('Another')
  const connect = () => ann.post(`/api/dealers/${another.id}/connect`)
  t.match((await connect()).body, {
    error: {
      message: 'Your last payment failed. Pay the open invoice to have more than 50 connections',
      details: { plan: 'pay', planName: 'Premium Plan', connectionLimit: 50 },
    },
  })
  await db.updateTable('subscriptions').set({ status: 'active' }).where('dealerId', '=', ann.id).execute()
  t.equal((await connect()).status, 200)
})

test('refuses to connect with oneself, with an unknown dealer, or without signing in', async (t) => {
  const { ann, ben } = await twoDealers(app)
  t.equal((await ann.post(`/api/dealers/${ann.id}/connect`)).status, 400)
  t.equal((await ann.post('/api/dealers/00000000-0000-7000-8000-000000000000/connect')).status, 404)
  t.equal((await ann.post('/api/dealers/nobody/connect')).status, 400)
  t.equal((await app.visitor.post(`/api/dealers/${ben.id}/connect`)).status, 401)
  t.equal((await ann.get(`/api/connections/requests/${ben.id}`)).status, 403, "nor reads other dealers' requests")
})
