import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { type Deal, type DealDetail, documentKinds } from '#shared/schemas/deals.ts'
import type { Post, PostDetail, Vehicle } from '#shared/schemas/posts.ts'
import { checkDigitHolds } from '#shared/vin/vin.ts'
import { danaEmail } from '#server/features/auth/demo-accounts.ts'
import { sweepAuctions } from '#server/features/auctions/auction-closing.service.ts'
import { direct, playTurn } from '#server/features/demo/demo-director.service.ts'
import type { Act } from '#server/features/demo/demo-stage.ts'
import type { Watcher } from '#server/features/demo/demo.repository.ts'
import { listNodes } from '#server/features/ops/ops-heartbeat.ts'
import { listOnline } from '#server/realtime/presence.ts'
import type { Caller, TestApp } from '#tests/support/app.ts'
import { bid } from '#tests/support/bidding.ts'
import { quickLogin, startDemo } from '#tests/support/demo.ts'
import { until } from '#tests/support/wait.ts'

const turnMs = 4_000

const app = await startDemo(t)

const kindsOf = (acts: Act[]) => acts.map(({ kind }) => kind)

/** Extends the demo's auctions by a day, because this file may run long after the demo was created. */
const keepOpen = ({ server }: TestApp) =>
  server.ctx.db
    .updateTable('auctions')
    .set({ endsAt: sql<Date>`now() + interval '1 day'`, hardEndsAt: sql<Date>`now() + interval '2 days'` })
    .where('status', '=', 'open')
    .execute()

async function checkNewest(t: Test, reader: Caller, newestId: string): Promise<void> {
  const { body } = await reader.get<PostDetail>(`/api/inventory/${newestId}`)
  const [{ vin, year }] = body.vehicles as [Vehicle]
  t.ok(vin !== null && checkDigitHolds(vin), 'the VIN has a valid check digit')
  t.match(body.title, /20\d\d/)
  t.match(body.title, String(year))
  t.equal(body.photoUrls.length, 4)
  for (const url of body.photoUrls) t.equal((await reader.get(url)).status, 200, 'a reader may see the pictures')
}

t.test(
  'shows a newcomer a new post, a message and a bid, each by its own event, and does nothing while nobody watches',
  async (t) => {
    const app = await startDemo(t)
    const { ctx } = app.server
    await keepOpen(app)
    t.same(await playTurn(ctx, turnMs), [], 'nobody is signed in')
    const newcomer = await quickLogin(app)
    t.same(await playTurn(ctx, turnMs), [], 'signed in without an open page')
    const tab = await newcomer.live()
    const isThere = async () =>
      (await listNodes(ctx)).some(({ sockets }) => sockets > 0) && (await listOnline(ctx)).includes(newcomer.id)
    await until('the newcomer to be online', isThere)
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
    t.same(await playTurn(real, turnMs), [], 'the director is off')

    await tab.view({ kind: 'feed', id: '', on: true })
    const auctions = (await newcomer.get<Post[]>('/api/inventory?sort=auction-promo')).body
    for (const { id } of auctions) await tab.view({ kind: 'post', id, on: true })
    const acts = await playTurn(ctx, turnMs)
    for (const kind of ['bid', 'post', 'message'] as const) t.ok(kindsOf(acts).includes(kind), kind)
    await tab.nextEvent('auction.state')
    const { newestId } = await tab.nextEvent('feed.head', ({ newPosts }) => newPosts > 0)
    const { message } = await tab.nextEvent('chat.message')
    t.not(message.senderId, newcomer.id)
    await checkNewest(t, newcomer, newestId ?? '')
    const { rows: lane } = await sql<{ running: number; coming: number; bids: number }>`
      select count(*) filter (where starts_at <= now())::int as running, count(*) filter (where starts_at > now())::int as coming,
        coalesce(sum(bid_count) filter (where starts_at > now()), 0)::int as bids
      from auctions where demo and status = 'open'`.execute(ctx.db)
    t.same(lane, [{ running: 4, coming: 4, bids: 0 }], 'four auctions run and four wait')
    const again = kindsOf(await playTurn(ctx, turnMs))
    t.notOk(again.includes('message') || again.includes('post'), 'messages and posts come once per visit at first')
  },
)

const aWatcher: Watcher = {
  id: '01980000-0000-7000-8000-000000000001',
  name: 'Wendy Watcher',
  role: 'admin',
  since: new Date(0),
}

/** Plays turns of the demo director in all apps. The turns are 65 simulated seconds apart, however long they take. */
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

t.test('creates the same acts from the same seed', async (t) => {
  const apps = [await startDemo(t), await startDemo(t)]
  for (const each of apps) await keepOpen(each)
  const [first = [], second = []] = await play(apps, 20, Date.now())
  t.same(first, second)
  for (const kind of ['post', 'comment', 'answer', 'bid'] as const) t.ok(kindsOf(first).includes(kind), kind)
  const dana = first.filter(({ kind, by }) => kind === 'bid' && by === danaEmail)
  t.same(dana, [], 'named demo dealers get no bids that they did not place')
})

/** Ends all running auctions and skips the waiting times that follow. */
async function endAll({ server: { ctx } }: TestApp): Promise<void> {
  const end = sql`update auctions set starts_at = now() - interval '1 hour', ends_at = now() - interval '10 minutes',
    hard_ends_at = now() where status = 'open'`
  await end.execute(ctx.db)
  await sweepAuctions(ctx)
  for (const rest of [
    sql`update auctions set closed_at = now() - interval '10 minutes' where closed_at is not null`,
    sql`update deals set updated_at = now() - interval '10 minutes' where status in ('pending', 'approved')`,
  ])
    await rest.execute(ctx.db)
}

t.test('signs for the seller after an auction, and the winner completes the deal', async (t) => {
  const winner = await quickLogin(app)
  await keepOpen(app)
  const [running] = (await winner.get<Post[]>('/api/inventory?sort=auction-promo')).body
  // Bid more than any reserve, so that the seller does not have to decide first.
  t.equal((await bid(winner, running?.id ?? '', 100_000)).status, 201)
  await endAll(app)
  const won = async () =>
    (await winner.get<Deal[]>(`/api/deals/${winner.id}`)).body.find(({ postId }) => postId === running?.id)
  t.match(await won(), { status: 'pending' })
  await play([app], 2, Date.now())
  const deal = await won()
  t.match(deal, { status: 'approved' })
  const address = `/api/deal/${deal?.id}`
  for (const kind of documentKinds)
    t.equal((await winner.post(`${address}/documents/${kind}/signature`, { name: 'Wendy Winner' })).status, 200, kind)
  t.match((await winner.post<DealDetail>(`${address}/complete`)).body, { status: 'completed' })
})

async function listSold({ server: { ctx } }: TestApp) {
  const { rows } = await sql<{ vin: string; postId: string; deal: string; post: string; vehicle: string }>`
    select d.vin, d.post_id, d.status as deal, p.status as post, v.status as vehicle
    from deals d join auctions a on a.post_id = d.post_id join posts p on p.id = d.post_id join vehicles v on v.post_id = p.id
    where d.source = 'auction' and d.status <> 'cancelled'`.execute(ctx.db)
  return rows
}

t.test('never sells an auctioned vehicle again and puts up another one', async (t) => {
  const { db } = app.server.ctx
  for (let round = 0; round < 4; round++) {
    const before = await listSold(app)
    await endAll(app)
    const acts = await play([app], 6, Date.now() + round * 3_600_000)
    const next = kindsOf(acts.flat()).filter((kind) => kind === 'auction' || kind === 'reopening')
    t.ok(next.length > 0, `round ${round}: another auction starts`)
    const sold = await listSold(app)
    t.equal(new Set(sold.map(({ vin }) => vin)).size, sold.length, 'each vehicle was sold once')
    for (const { vin, postId } of before)
      t.match(
        sold.find((one) => one.vin === vin),
        { postId },
        'it was sold from its own post',
      )
    t.notOk(sold.some(({ vehicle }) => vehicle === 'available'))
  }
  const sold = await listSold(app)
  const finished = sold.filter(({ deal, post }) => deal === 'completed' && post === 'sold')
  t.ok(finished.length > 0, 'demo dealers complete their deals, and the posts stay sold')
  const open = await db
    .selectFrom('auctions')
    .select('postId')
    .where('status', '=', 'open')
    .where('demo', '=', true)
    .execute()
  t.ok(open.length >= 2, 'other auctions replaced them')
  t.notOk(open.some(({ postId }) => sold.some((one) => one.postId === postId)))
  const { rows } = await sql`select vin from vehicles where vin is not null group by vin having count(*) > 1`.execute(
    db,
  )
  t.same(rows, [], 'no VIN is used twice')
})
