import { show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { DealerOrders } from '#client/features/admin/dealer-file/admin-dealer-orders.tsx'
import { WithReason } from '#shared/schemas/admin.ts'
import { type BuyOrder, DealersOrders } from '#shared/schemas/wanted.ts'
import { fill, press, says } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, sent } from '#tests/support/network.ts'
import { me } from '#tests/support/posting.ts'
import { anOrder } from '#tests/support/wanted-page.tsx'

const order = anOrder({ price: 3_000, note: 'Clean titles', isLow: true })

t.test("loads a dealer's buy orders on request and ends one with a reason", async (t) => {
  const network = fakeNetwork(t)
  const dealerId = randomUUID()
  let state: BuyOrder['state'] = 'active'
  let views = 0
  const heard: unknown[] = []
  network.use(
    http.get(`*/api/admin/users/${dealerId}/buy-orders`, () => {
      views += 1
      return answer(DealersOrders, { orders: [{ ...order, state }] })
    }),
    http.delete(`*/api/admin/users/${dealerId}/buy-orders/${order.id}`, async ({ request }) => {
      heard.push(await sent(WithReason, request))
      state = 'ended'
      return answer(DealersOrders, { orders: [{ ...order, state }] })
    }),
  )
  show(t, <DealerOrders id={dealerId} />, me)
  t.equal(views, 0, 'not before it is requested, because viewing is recorded')
  await press('Show buy orders')
  await says('Far below asking prices')
  await says('pays $3,000, under 40,000 mi, 3 per month')
  fireEvent.click(screen.getByRole('button', { name: 'End Ford F-150 XLT' }))
  fill('Reason', 'Nobody sells at this price')
  await press('End order')
  await says('Buy order ended')
  await says('Ended')
  t.same(heard, [{ reason: 'Nobody sells at this price' }])
  t.equal(screen.queryByRole('button', { name: /^End / }), null)
  t.equal(views, 1, 'actions do not refetch the orders, which would add an audit entry')
})
