import { sql } from 'kysely'
import t from 'tap'
import { refreshFind } from '#server/features/find/find-rows.service.ts'
import { startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'

const app = await startApp(t, { ROLES: 'api' })
const { ctx } = app.server
const { db } = ctx

t.test('rows that are made anew keep their number, and use up none', async (t) => {
  const postId = await publish(await app.signIn())
  const numbers = async () =>
    (
      await sql`select row_no, (select last_value from find_vehicles_row_no_seq) as last from find_vehicles
      where post_id = ${postId}`.execute(db)
    ).rows
  const before = await numbers()
  await ctx.transact((tx) => refreshFind(tx, [postId]))
  await sql`update vehicles set mileage = 1 where post_id = ${postId}`.execute(db)
  t.equal(await ctx.transact((tx) => refreshFind(tx, [postId])), 1)
  t.same(await numbers(), before)
})
