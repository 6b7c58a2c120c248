import pg from 'pg'
import t, { type Test } from 'tap'
import type { Deal, Offer } from '#shared/schemas/deals.ts'
import type { OpsOverview } from '#shared/schemas/ops.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { aBidder, bid, close, copyAuction, endIn, publishAuction, readAuction } from '../../support/bidding.ts'
import { publish } from '../../support/factories.ts'
import { startNode } from '../../support/node-process.ts'
import { until } from '../../support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

async function connect(t: Test, app: TestApp): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: app.services.DATABASE_URL })
  await client.connect()
  t.teardown(() => client.end())
  return client
}

t.test('closes other auctions even if one cannot be closed', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const [holder, watcher] = [await connect(t, app), await connect(t, app)]
  const good = await publishAuction(seller)
  const broken = await copyAuction(app, good, 60)
  const locked = await copyAuction(app, good, 4)
  await bid(buyer, good, 10_000)
  await watcher.query(`
    create function refuse_close() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
    create trigger refuse_close before update of status on auctions for each row
      when (new.post_id <> '${good}') execute function refuse_close();`)
  // All auctions except the valid one (`good`) end first, and nothing can close them: a trigger raises an error, or their row is locked.
  await watcher.query(
    `update auctions set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 second',
       hard_ends_at = now() + interval '1 second' where post_id <> $1`,
    [good],
  )
  await holder.query('begin')
  await holder.query('select from auctions where post_id = any($1) for update', [locked])
  await until('both to end', async () => {
    const { rowCount } = await watcher.query(
      `select from auctions where post_id = any($1) and status = 'open' and ends_at <= clock_timestamp()`,
      [[...broken, ...locked]],
    )
    return rowCount === broken.length + locked.length
  })
  t.equal((await close(app, seller, good)).status, 'sold')
  await holder.query('rollback')
  await watcher.query('drop function refuse_close cascade')
})

t.test('ends other offers even if one cannot be ended', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const holder = await connect(t, app)
  const undecided = await publishAuction(seller, { reserveAmount: 20_000 })
  await bid(buyer, undecided, 10_000)
  t.equal((await close(app, seller, undecided)).status, 'deciding')
  const postId = await publish(seller)
  const { vehicles } = (await buyer.get<PostDetail>(`/api/inventory/${postId}`)).body
  await buyer.post(`/api/inventory/${postId}/offers`, { vehicleId: vehicles[0]?.id, amount: 30_000 })
  const { db } = app.server.ctx
  await holder.query('begin')
  await holder.query('select from auctions where post_id = $1 for update', [undecided])
  await db.updateTable('offers').set({ expiresAt: new Date() }).execute()
  const statusOn = async (id: string) => (await buyer.get<Offer[]>(`/api/offers?postId=${id}`)).body[0]?.status
  await until('the other offer to end', async () => (await statusOn(postId)) === 'expired')
  t.equal(await statusOn(undecided), 'open')
  await holder.query('rollback')
  await until('the offer to end', async () => (await statusOn(undecided)) === 'expired')
  t.equal((await readAuction(seller, undecided)).status, 'no_sale')
})

t.test('leaves the close to the next worker if one is killed before it', async (t) => {
  const app = await startApp(t, { ROLES: 'api,rt' })
  const worker = await startNode(t, app.services, { ROLES: 'worker' })
  const seller = await app.signIn('Seller')
  const buyer = await aBidder(app, 'Buyer')
  const postId = await publishAuction(seller)
  await bid(buyer, postId, 10_000)
  await worker.kill()
  await endIn(app, postId, -1)
  t.equal((await bid(buyer, postId, 20_000)).body.error.details.code, 'CLOSED', 'the time decides, not the worker')
  await startNode(t, app.services, { ROLES: 'worker' })
  const auction = await until('the close', async () => {
    const found = await readAuction(seller, postId)
    return found.status === 'open' ? undefined : found
  })
  t.equal(auction.status, 'sold')
  t.equal((await buyer.get<Deal[]>(`/api/deals/${buyer.id}`)).body.length, 1)
})

t.test('shows a killed process as silent', async (t) => {
  const app = await startApp(t, { ROLES: 'api,rt' })
  const ops = await app.signIn('Operations', { role: 'ops' })
  const nodes = async () => (await ops.get<OpsOverview>('/api/ops/queues')).body.figures.nodes
  const worker = await startNode(t, app.services, { ROLES: 'worker' })
  await until('both processes in the list', async () => (await nodes()).length === 2)
  await worker.kill()
  const silent = await until('the killed process to be silent', async () => {
    const found = (await nodes()).filter((node) => node.silent)
    return found.length > 0 ? found : undefined
  })
  t.match(silent, [{ roles: 'worker' }])
  t.equal(silent.length, 1)
})
