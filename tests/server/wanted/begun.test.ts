import { sql } from 'kysely'
import t from 'tap'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { publishAuction } from '#tests/support/bidding.ts'
import { buyer, jobsDone } from '#tests/support/wanted.ts'

const app = await startApp(t)

const noticesOf = async (caller: Caller) =>
  (await caller.get<NotificationsPage>('/api/notifications')).body.items.filter(({ kind }) => kind === 'match')

t.test(
  'notifies dealers who search for running auctions when bidding opens, and for upcoming ones before',
  async (t) => {
    const [early, late, seller] = [
      await buyer(app, 'Early Motors'),
      await buyer(app, 'Late Motors'),
      await buyer(app, 'Seller Motors'),
    ]
    await early.post('/api/saved-searches', { kind: 'find', query: 'mmt=Ford&sale=coming' })
    await late.post('/api/saved-searches', { kind: 'find', query: 'mmt=Ford&sale=live' })
    const postId = await publishAuction(seller, { startsAt: new Date(Date.now() + 3_600_000).toISOString() })
    await jobsDone(app)
    t.equal((await noticesOf(early)).length, 1)
    t.same(await noticesOf(late), [])
    const { db } = app.server.ctx
    const begun = sql`now() - interval '1 second'`
    await sql`update auctions set starts_at = ${begun} where post_id = ${postId}`.execute(db)
    await sql`update find_vehicles set starts_at = ${begun} where post_id = ${postId}`.execute(db)
    await sql`update outbox set run_at = now() where name = 'find.begun'`.execute(db)
    await jobsDone(app, 'find.begun')
    await jobsDone(app)
    t.match(await noticesOf(late), [{ title: /^New for "Ford, live auction"/ }])
    t.equal((await noticesOf(early)).length, 1, 'no dealer twice')
  },
)
