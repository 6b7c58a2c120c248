import { sql } from 'kysely'
import t from 'tap'
import type { Post } from '#shared/schemas/posts.ts'
import { checkDigitHolds } from '#shared/vin.ts'
import { danaEmail } from '#server/features/auth/demo-accounts.ts'
import { sweepAuctions } from '#server/features/auctions/auction-closing.service.ts'
import { direct, playTurn } from '#server/features/demo/demo-director.service.ts'
import type { Act } from '#server/features/demo/demo-stage.ts'
import type { Watcher } from '#server/features/demo/demo.repository.ts'
import { listNodes } from '#server/features/ops/ops-heartbeat.ts'
import { listOnline } from '#server/realtime/presence.ts'
import type { TestApp } from '#tests/support/app.ts'
import { quickLogin, startDemo } from '#tests/support/demo.ts'
import { until } from '#tests/support/wait.ts'

const turnMs = 4_000

const kindsOf = (acts: Act[]) => acts.map(({ kind }) => kind)

/** The demo's auctions have a day left, whenever this file's turn comes. */
const keepOpen = ({ server }: TestApp) =>
  server.ctx.db
    .updateTable('auctions')
    .set({ endsAt: sql<Date>`now() + interval '1 day'`, hardEndsAt: sql<Date>`now() + interval '2 days'` })
    .where('status', '=', 'open')
    .execute()

t.test(
  'a newcomer sees a new post, a message and a bid, each as its event, and nothing while nobody watches',
  async (t) => {
    const app = await startDemo(t)
    const { ctx } = app.server
    await keepOpen(app)
    t.same(await playTurn(ctx, turnMs), [], 'nobody is there')
    const newcomer = await quickLogin(app)
    t.same(await playTurn(ctx, turnMs), [], 'signed in, but with nothing open')
    const tab = await newcomer.live()
    const isThere = async () =>
      (await listNodes(ctx)).some(({ sockets }) => sockets > 0) && (await listOnline(ctx)).includes(newcomer.id)
    await until('the newcomer to be seen', isThere)
    await ctx.db
      .updateTable('sessions')
      .set({ createdAt: sql<Date>`now() - interval '20 seconds'` })
      .execute()

    const admin = await app.signIn('Lanewire', { role: 'admin' })
    t.match((await admin.get('/api/admin/network')).body, { demoPaused: false })
    t.match((await admin.patch('/api/admin/network', { verifiedOnly: false, demoPaused: true })).body, {
      demoPaused: true,
    })
    t.equal((await newcomer.patch('/api/admin/network', { verifiedOnly: false, demoPaused: false })).status, 403)
    t.same(await playTurn(ctx, turnMs), [], 'paused by an admin')
    await admin.patch('/api/admin/network', { verifiedOnly: false, demoPaused: false })
    const real = { ...ctx, config: { ...ctx.config, demoDirector: false } }
    t.same(await playTurn(real, turnMs), [], 'where there is no director')

    await tab.view({ kind: 'feed', id: '', on: true })
    const auctions = (await newcomer.get<Post[]>('/api/inventory?sort=auction-promo')).body
    for (const { id } of auctions) await tab.view({ kind: 'post', id, on: true })
    const acts = await playTurn(ctx, turnMs)
    for (const kind of ['bid', 'post', 'message'] as const) t.ok(kindsOf(acts).includes(kind), kind)
    await tab.nextEvent('auction.state')
    await tab.nextEvent('post.changed')
    const { newestId } = await tab.nextEvent('feed.head')
    const { message } = await tab.nextEvent('chat.message')
    t.not(message.senderId, newcomer.id)
    const [post] = (await newcomer.get<Post[]>('/api/inventory?limit=1')).body
    t.equal(post?.id, newestId)
    t.equal(post?.photoUrls.length, 4)
    const [vehicle] = post?.vehicles ?? []
    t.ok(checkDigitHolds(vehicle?.vin ?? '') && post?.title.includes(String(vehicle?.year)), post?.title ?? '')
    t.equal((await newcomer.get(post?.photoUrls[0] ?? '')).status, 200, 'whose pictures a reader may see')
    const again = kindsOf(await playTurn(ctx, turnMs))
    t.notOk(again.includes('message') || again.includes('post'), 'once: the rest comes at its own pace')
  },
)

const aWatcher: Watcher = {
  id: '01980000-0000-7000-8000-000000000001',
  name: 'Wendy Watcher',
  role: 'admin',
  since: new Date(0),
}

/** Turns at a minute's distance, so that it plays no part how long one takes. */
async function play(apps: TestApp[], turns: number, from: number): Promise<Act[][]> {
  const played: Act[][] = apps.map(() => [])
  for (let turn = 1; turn <= turns; turn++) {
    const now = new Date(from + turn * 65_000)
    const scene = { turn, now, watching: [aWatcher], viewersOf: () => Promise.resolve(1) }
    const acts = await Promise.all(apps.map(({ server }) => direct(server.ctx, scene)))
    for (const [index, each] of acts.entries()) played[index]?.push(...each)
  }
  return played
}

t.test('the same seed gives the same acts, another gives others, and no car is sold twice', async (t) => {
  const apps = [await startDemo(t), await startDemo(t), await startDemo(t, { DEMO_DIRECTOR_SEED: '7' })]
  for (const app of apps) await keepOpen(app)
  const [first = [], second = [], other = []] = await play(apps, 20, Date.now())
  t.same(first, second)
  t.notSame(first, other)
  for (const kind of ['post', 'comment', 'answer', 'bid'] as const) t.ok(kindsOf(first).includes(kind), kind)
  const dana = first.filter(({ kind, by }) => kind === 'bid' && by === danaEmail)
  t.same(dana, [], 'nobody who is known by name finds bids that they did not place')

  const [app] = apps as [TestApp]
  const { ctx } = app.server
  const sold = new Map<string, string>()
  for (let round = 0; round < 4; round++) {
    // All that runs ends now, and what has ended has rested.
    await sql`update auctions set ends_at = starts_at + interval '1 minute', hard_ends_at = ends_at where status = 'open'`.execute(
      ctx.db,
    )
    await sql`update auctions set starts_at = now() - interval '1 hour', ends_at = now() - interval '10 minutes' where status = 'open'`.execute(
      ctx.db,
    )
    await sweepAuctions(ctx)
    await sql`update auctions set closed_at = now() - interval '10 minutes' where closed_at is not null`.execute(ctx.db)
    await sql`update deals set updated_at = now() - interval '10 minutes' where status in ('pending', 'approved')`.execute(
      ctx.db,
    )
    const acts = (await play([app], 6, Date.now() + round * 3_600_000)).flat()
    t.ok(
      kindsOf(acts).includes('auction') || kindsOf(acts).includes('reopening'),
      `round ${round}: there is a next one`,
    )
    const { rows } = await sql<{ vin: string; postId: string; post: string; vehicle: string }>`
      select d.vin, d.post_id, p.status as post, v.status as vehicle from deals d join auctions a on a.post_id = d.post_id
      join posts p on p.id = d.post_id join vehicles v on v.post_id = p.id
      where d.source = 'auction' and d.status <> 'cancelled'`.execute(ctx.db)
    t.equal(new Set(rows.map(({ vin }) => vin)).size, rows.length, 'each vehicle once')
    for (const { vin, postId, vehicle } of rows) {
      t.equal(sold.get(vin) ?? postId, postId, 'in its own post')
      t.not(vehicle, 'available')
      sold.set(vin, postId)
    }
  }
  t.ok(sold.size > 0, 'cars were sold')
  const { rows } = await sql<{ open: number; again: number; twice: number }>`
    select (select count(*)::int from auctions where demo and status = 'open') as open,
      (select count(*)::int from auctions a join deals d on d.post_id = a.post_id and d.status <> 'cancelled' where a.status = 'open') as again,
      (select count(*)::int from (select vin from vehicles where vin is not null group by vin having count(*) > 1) same) as twice`.execute(
    ctx.db,
  )
  t.match(rows[0], { again: 0, twice: 0 })
  t.ok((rows[0]?.open ?? 0) >= 2, 'and others have taken their place')
  const finished = await sql<{ count: number }>`
    select count(*)::int as count from deals d join posts p on p.id = d.post_id
    where d.source = 'auction' and d.status = 'completed' and p.status = 'sold'`.execute(ctx.db)
  t.ok((finished.rows[0]?.count ?? 0) > 0, 'deals between demo dealers are finished, and their posts stay as sold')
})
