import { execFile } from 'node:child_process'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import t from 'tap'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { DealDetail } from '#shared/schemas/deals.ts'
import type { Chat } from '#shared/schemas/messaging.ts'
import type { Post, PostDetail } from '#shared/schemas/posts.ts'
import { demoAccounts } from '#server/features/auth/demo-accounts.ts'
import { type Caller, startApp, type TestApp } from '#tests/support/app.ts'
import { bid, publishAuction, readAuction } from '#tests/support/bidding.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { aDealWith } from '#tests/support/deals.ts'
import { quickLogin } from '#tests/support/demo.ts'
import { publish } from '#tests/support/factories.ts'
import { cloneDatabase, testServices } from '#tests/support/services.ts'

const dataDir = t.testdir()
const services = {
  ...(await testServices(t)),
  DATABASE_URL: await cloneDatabase(t, 'TEST_DEMO_TEMPLATE'),
  // Use a separate folder, because the program deletes files.
  DATA_DIR: dataDir,
}

async function run(name: 'main' | 'remove-demo'): Promise<{ code: number; said: string }> {
  const env = { PATH: process.env['PATH'], ...services, NODE_ENV: 'test', DEMO: 'off', LOG_LEVEL: 'fatal', PORT: '0' }
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [join('dist', 'server', `${name}.js`)], {
      env,
    })
    return { code: 0, said: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, said: stdout + stderr }
  }
}

const done = async (asked: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await asked
  if (status >= 300) throw new Error(`refused: ${status} ${JSON.stringify(body)}`)
}

/** Creates a real dealer with data of their own and data shared with demo dealers. */
async function liveAmongThem(app: TestApp) {
  const [real, friend] = [await app.signIn('Real Cars'), await app.signIn('Friend Cars', { plan: 'premium' })]
  const demo = await quickLogin(app)
  const postId = await publish(real, { title: 'A real Ford' })
  const comment = (by: Caller, content: string) => done(by.post(`/api/inventory/${postId}/comments`, { content }))
  await comment(friend, 'Is it there?')
  await comment(demo, 'A demo account asks')
  for (const by of [friend, demo]) await done(by.put(`/api/inventory/${postId}/reactions/like`))
  for (const other of [friend, demo]) await done(real.post(`/api/dealers/${other.id}/connect`))
  for (const other of [friend, demo]) await done(say(real, await openChat(real, other), 'Good morning'))
  const auctionId = await publishAuction(real)
  for (const [by, amount] of [
    [friend, 10_000],
    [demo, 10_500],
  ] as const)
    await done(bid(by, auctionId, amount))
  const deals = [await aDealWith(real, friend), await aDealWith(real, demo)]
  await done(
    demo.post('/api/contact', { name: 'Q', email: 'q@test.example', topic: 'general', message: 'A demo asks this' }),
  )
  // This customer exists only in the demo's simulated payment provider.
  await mkdir(join(dataDir, 'stripe'), { recursive: true })
  await writeFile(join(dataDir, 'stripe/stripe.json'), JSON.stringify({ tables: { customer: { cus_test: {} } } }))
  const { db } = app.server.ctx
  await db.insertInto('billingCustomers').values({ dealerId: friend.id, stripeId: 'cus_test' }).execute()
  await db.updateTable('subscriptions').set({ stripeId: 'sub_test' }).where('dealerId', '=', friend.id).execute()
  return { real, friend, demo, postId, auctionId, dealIds: deals.map(({ id }) => id) }
}

async function aDemoFile(app: TestApp): Promise<string> {
  const { id } = await app.server.ctx.db
    .selectFrom('objects')
    .innerJoin('dealers', 'dealers.id', 'objects.dealerId')
    .select('objects.id')
    .where('demo', '=', true)
    .executeTakeFirstOrThrow()
  const folder = join(dataDir, 'storage', id.slice(-2), id)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, '320.webp'), 'a picture')
  return folder
}

t.test('refuses to remove the demo while it runs, removes it once, and keeps the real dealers working', async (t) => {
  const demoApp = await startApp(t, { ROLES: 'api,rt' }, services)
  const { real, friend, demo, postId, auctionId, dealIds } = await liveAmongThem(demoApp)
  const file = await aDemoFile(demoApp)

  const running = await run('remove-demo')
  t.match(running, { code: 1, said: /^1 process of Lanewire is running on this database. Stop it first/ })
  await demoApp.server.stop('the demo is over')

  const refused = await run('main')
  t.match(refused, { code: 1, said: /^This database contains demo accounts with published passwords/ })
  t.match(refused.said, 'npm run demo:remove')

  const removed = await run('remove-demo')
  t.equal(removed.code, 0, removed.said)
  t.match(
    removed.said,
    /^The demo was removed: 301 accounts, \d+ posts, 3 auctions, \d+ files, \d+ comments, \d+ chats, /,
  )
  t.match(removed.said, /\b3 promotions, 2 incidents, 2 newsletters, 4 contact messages, 14 subscribers\b/)
  t.match(removed.said, 'Real accounts have deals with or bids from 1 demo account')
  t.match(removed.said, '1 real account had paid with test cards')
  t.match(removed.said, 'The log is append-only'.toLowerCase())
  t.match(removed.said, 'No admin account is left.')
  await t.rejects(access(file), { code: 'ENOENT' })
  await t.rejects(access(join(dataDir, 'stripe')), { code: 'ENOENT' })
  t.match(await run('remove-demo'), { code: 0, said: /^There are no demo accounts/ })

  const app = await startApp(t, { DEMO: 'off', ROLES: 'api,rt' }, services)
  for (const { email, password } of demoAccounts)
    t.match(await app.visitor.post('/api/auth/login', { email, password }), { status: 401 }, email)
  const [me, other] = [app.on(app, real), app.on(app, friend)]
  t.match(await app.on(app, demo).get('/api/auth/me'), { status: 401 })

  const { body: feed } = await me.get<Post[]>('/api/inventory')
  t.same(new Set(feed.map(({ dealer }) => dealer.id)), new Set([real.id]), 'only posts of real dealers remain')
  t.match((await me.get<PostDetail>(`/api/inventory/${postId}`)).body, {
    title: 'A real Ford',
    likeCount: 1,
    commentCount: 1,
    comments: [{ content: 'Is it there?' }],
  })
  const { body: chats } = await me.get<Chat[]>('/api/chats')
  t.equal(chats.length, 1, 'the chat with the friend remains')
  t.match(await readAuction(me, auctionId), { status: 'open', bidCount: 2 }, 'bids on a real post remain')
  for (const [index, name] of ['Alex Acme', 'Deleted dealer'].entries()) {
    const { status, body } = await me.get<DealDetail>(`/api/deal/${dealIds[index]}`)
    t.match({ status, text: JSON.stringify(body) }, { status: 200, text: new RegExp(name) })
  }
  t.match(await other.get('/api/my-subscription'), { body: { hasSubscription: false } })
  t.match(await me.get('/api/my-subscription'), { body: { hasSubscription: true } })

  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const { body: audit } = await admin.get<AuditPage>('/api/admin/audit')
  t.match(audit.entries[0], { action: 'demo.remove', actorName: 'npm run demo:remove', after: { accounts: 301 } })
  t.ok(
    audit.entries.some(({ actorName }) => actorName === 'Avery Lane'),
    'audit entries of a demo admin remain',
  )
  const { rows } = await sql<{ left: number; connections: number }>`
    select (select count(*) from dealers where demo or email like '%@torresauto.example' or email like 'demo-%') as left,
      (select connection_count from dealers where id = ${real.id}) as connections`.execute(app.server.ctx.db)
  t.match(rows, [{ left: 0, connections: 1 }])
})
