import t from 'tap'
import type { Offer } from '#shared/schemas/deals.ts'
import type { DemoSteps } from '#shared/schemas/demo.ts'
import type { Chat } from '#shared/schemas/messaging.ts'
import { adminEmail, demoPassword, marcusEmail, opsEmail } from '#server/features/auth/demo-accounts.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { bid, publishAuction } from '#tests/support/bidding.ts'
import { say } from '#tests/support/chat.ts'
import { quickLogin, signInAs, startDemo } from '#tests/support/demo.ts'
import { publish } from '#tests/support/factories.ts'

const app = await startDemo(t, { DEMO_DIRECTOR: 'off', RATE_LIMITS: 'off' })

const stepsOf = async (caller: Caller): Promise<DemoSteps | null> =>
  (await caller.get<DemoSteps | null>('/api/demo/steps')).body

t.test('ticks off the steps that a visitor has done since signing in', async (t) => {
  const visitor = await quickLogin(app)
  const second = await signInAs(app, marcusEmail)
  const nothing = { bid: false, answered: false, posted: false, queues: false }
  t.match(await stepsOf(visitor), { ...nothing, second: { id: second.id, name: 'Marcus Webb', email: marcusEmail } })
  t.match(await stepsOf(visitor), nothing, 'the history of a new account is not its own doing')

  const { body: chats } = await visitor.get<Chat[]>('/api/chats')
  const asked = chats.find(({ participants }) => participants.some(({ id }) => id === second.id))
  t.ok(asked && asked.unreadCount > 0, 'the second dealer waits for an answer')
  await say(visitor, asked?.id ?? '', 'It is yours at that price.')
  t.match(await stepsOf(visitor), { ...nothing, answered: true })

  await bid(visitor, await publishAuction(second), 10_000)
  t.match(await stepsOf(visitor), { ...nothing, answered: true, bid: true })

  await publish(visitor)
  t.match(await stepsOf(visitor), { posted: true, queues: false })

  await app.visitor.post('/api/auth/login', { email: opsEmail, password: demoPassword })
  t.match(await stepsOf(visitor), { bid: true, answered: true, posted: true, queues: true })
  t.match(await stepsOf(await quickLogin(app)), nothing, 'another visitor starts without any')
})

t.test('ticks off the answer to the second dealer when the visitor answers the offer', async (t) => {
  const visitor = await quickLogin(app)
  const second = await signInAs(app, marcusEmail)
  const { body: offers } = await visitor.get<Offer[]>('/api/offers?open=true')
  const offered = offers.find(({ buyer }) => buyer.id === second.id)
  t.match(await stepsOf(visitor), { answered: false }, 'the offer itself is not an answer')
  const amount = (offered?.amount ?? 0) + 500
  t.equal((await visitor.post(`/api/offers/${offered?.id}/counter`, { amount })).status, 200)
  t.match(await stepsOf(visitor), { answered: true })
})

t.test('has no steps for staff, the second dealer and real dealers', async (t) => {
  for (const email of [marcusEmail, adminEmail]) t.equal(await stepsOf(await signInAs(app, email)), null, email)
  t.equal(await stepsOf(await app.signIn('Real Motors')), null)
  t.equal((await app.visitor.get('/api/demo/steps')).status, 401)
})

t.test('has neither steps nor Google sign-in on a real network without Google', async (t) => {
  const real = await startApp(t, { DEMO: 'off' })
  t.equal((await (await real.signIn('Real Motors')).get('/api/demo/steps')).status, 404)
  t.match((await real.visitor.get('/api/auth/status')).body, { demo: false, google: false, sampleLogin: null })
})
