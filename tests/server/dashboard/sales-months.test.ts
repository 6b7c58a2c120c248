import t from 'tap'
import type { SalesAnalytics } from '#shared/schemas/dashboard.ts'
import type { VehicleActivity } from '#shared/schemas/dealers.ts'
import { startApp } from '#tests/support/app.ts'

const app = await startApp(t)

t.test("counts sales by month in the dealer's time zone", async (t) => {
  const [me, ann] = [await app.signIn('My Lot', { plan: 'premium' }), await app.signIn('Ann Autos')]
  const { db } = app.server.ctx
  const began = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth()) + 1_800_000)
  await db
    .insertInto('deals')
    .values({
      make: 'Ford',
      model: 'F-150',
      priceCents: 100,
      location: '',
      sellerId: me.id,
      buyerId: ann.id,
      status: 'completed',
      // Half an hour after the month began in UTC. West of UTC, the month before was not over.
      completedAt: began,
    })
    .execute()
  for (const timeZone of ['Etc/GMT-14', 'UTC', 'Etc/GMT+12']) {
    const quietHours = { on: false, from: '22:00', to: '07:00', timeZone }
    t.equal((await me.patch('/api/settings', { quietHours })).status, 200)
    const monthOf = (at: Date) => at.toLocaleString('en-US', { timeZone, month: 'long', year: 'numeric' })
    const count = monthOf(began) === monthOf(new Date()) ? 1 : 0
    const { body: activity } = await me.get<VehicleActivity>('/api/dealers/activity')
    const { body: sales } = await me.get<SalesAnalytics>('/api/dashboard/sales/sold')
    t.same([activity.soldThisMonth, sales.months.at(-1)?.count], [count, count], timeZone)
  }
})
