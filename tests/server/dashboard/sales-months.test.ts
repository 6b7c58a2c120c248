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
    const expected = () => (monthOf(began) === monthOf(new Date()) ? 1 : 0)
    // A month can end between the requests, but not twice.
    const counts = async (): Promise<(number | undefined)[]> => {
      const count = expected()
      const { body: activity } = await me.get<VehicleActivity>('/api/dealers/activity')
      const { body: sales } = await me.get<SalesAnalytics>('/api/dashboard/sales/sold')
      return expected() === count ? [count, activity.soldThisMonth, sales.months.at(-1)?.count] : counts()
    }
    const [count, soldThisMonth, lastMonth] = await counts()
    t.same([soldThisMonth, lastMonth], [count, count], timeZone)
  }
})

t.test('ignores a time zone that PostgreSQL does not know', async (t) => {
  const me = await app.signIn('My Lot', { plan: 'premium' })
  const settings = JSON.stringify({ quietHours: { timeZone: 'America/Nowhere' } })
  await app.server.ctx.db.updateTable('dealers').set({ settings }).where('id', '=', me.id).execute()
  for (const path of ['/api/dealers/activity', '/api/dashboard/sales/sold', '/api/buy-orders'])
    t.equal((await me.get(path)).status, 200, path)
})
