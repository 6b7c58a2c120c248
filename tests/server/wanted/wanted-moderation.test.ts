import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import t from 'tap'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { BuyOrder, BuyOrders, DealersOrders } from '#shared/schemas/wanted.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { aBuyOrder, buyer as signInBuyer } from '#tests/support/wanted.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const at = ({ id }: Caller, order = '') => `/api/admin/users/${id}/buy-orders${order === '' ? '' : `/${order}`}`
const reason = 'Nobody sells at this price'

t.test("shows an admin a dealer's orders and ends one, audited and with a notice", async (t) => {
  const admin = await app.signIn('Staff', { role: 'admin' })
  const dealer = await signInBuyer(app, 'Buyer Motors')
  const { body: order } = await dealer.post<BuyOrder>('/api/buy-orders', aBuyOrder())
  t.match(await admin.get<DealersOrders>(at(dealer)), {
    status: 200,
    body: { orders: [{ id: order.id, state: 'active' }] },
  })
  const ended = await admin.delete<DealersOrders>(at(dealer, order.id), { reason })
  t.match(ended, { status: 200, body: { orders: [{ id: order.id, state: 'ended' }] } })
  t.equal((await admin.delete(at(dealer, order.id), { reason })).status, 200, 'a second time changes nothing')
  const { entries } = (await admin.get<AuditPage>('/api/admin/audit?action=order')).body
  t.match(entries, [
    { action: 'order.end', subjectId: dealer.id, reason, before: { order: order.id } },
    { action: 'order.view', subjectId: dealer.id },
  ])
  t.equal(entries.length, 2)
  t.match((await dealer.get<NotificationsPage>('/api/notifications')).body.items, [
    { title: 'Your buy order was ended: Ford F-150', body: reason },
  ])
  t.match((await dealer.get<BuyOrders>('/api/buy-orders')).body, {
    orders: [{ state: 'ended' }],
    totals: { active: 0 },
  })
  const { rows } = await sql`select from find_watchers where order_id = ${order.id} and active`.execute(
    app.server.ctx.db,
  )
  t.same(rows, [], 'it no longer matches anything')
  t.equal((await dealer.patch(`/api/buy-orders/${order.id}`, { act: 'renew' })).status, 200, 'it can be renewed')
})

t.test('limits the orders of other dealers to admins', async (t) => {
  const admin = await app.signIn('Staff', { role: 'admin' })
  const [dealer, other] = [await signInBuyer(app, 'Buyer Motors'), await signInBuyer(app, 'Other Motors')]
  const { body: order } = await dealer.post<BuyOrder>('/api/buy-orders', aBuyOrder())
  for (const [caller, status] of [
    [app.visitor, 401],
    [dealer, 403],
    [other, 403],
    [await app.signIn('Ops', { role: 'ops' }), 403],
  ] as const) {
    t.equal((await caller.get(at(dealer))).status, status)
    t.equal((await caller.delete(at(dealer, order.id), { reason })).status, status)
  }
  t.equal((await admin.delete(at(other, order.id), { reason })).status, 404)
  t.equal((await admin.get(at({ ...other, id: randomUUID() }))).status, 404)
  t.equal((await admin.delete(at(dealer, order.id), {})).status, 400, 'a reason is required')
  t.match((await dealer.get<BuyOrders>('/api/buy-orders')).body, { orders: [{ state: 'active' }] })
})
