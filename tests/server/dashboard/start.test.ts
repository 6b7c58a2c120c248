import t from 'tap'
import type { StartSteps } from '#shared/schemas/dashboard.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { aDealWith } from '#tests/support/deals.ts'
import { publish } from '#tests/support/factories.ts'
import { aBuyOrder, buyer as aBuyer } from '#tests/support/wanted.ts'

const app = await startApp(t, { RATE_LIMITS: 'off' })

const startOf = async (caller: Caller): Promise<StartSteps> =>
  (await caller.get<StartSteps>('/api/dashboard/start')).body

t.test('shows a new dealer three steps until all are done', async (t) => {
  const newcomer = await aBuyer(app, 'First Day Motors')
  t.same(await startOf(newcomer), { posted: false, connected: 0, wanted: false })
  await publish(newcomer)
  t.same(await startOf(newcomer), { posted: true, connected: 0, wanted: false })
  for (const name of ['Near Motors', 'Next Door Autos', 'Same Street Cars']) {
    const other = await app.signIn(name)
    await newcomer.post(`/api/dealers/${other.id}/connect`, {})
  }
  t.same(await startOf(newcomer), { posted: true, connected: 3, wanted: false })
  await newcomer.post('/api/buy-orders', aBuyOrder())
  t.equal(await startOf(newcomer), null)
})

t.test('shows no steps to a dealer who has traded', async (t) => {
  const [seller, buyer] = [await app.signIn('Selling Motors'), await app.signIn('Buying Motors')]
  await aDealWith(seller, buyer)
  t.same([await startOf(seller), await startOf(buyer)], [null, null])
})

t.test('shows no steps to a visitor', async (t) => {
  t.equal((await app.visitor.get('/api/dashboard/start')).status, 401)
})
