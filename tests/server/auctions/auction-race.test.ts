import { randomUUID } from 'node:crypto'
import pg from 'pg'
import t, { type Test } from 'tap'
import type { Auction, AuctionTerms } from '#shared/schemas/auctions.ts'
import type { Deal } from '#shared/schemas/deals.ts'
import { closeDue, lowerReserve, stopOpen } from '#server/features/auctions/auctions.repository.ts'
import { lockAuction } from '#server/features/sale/sale.service.ts'
import { startApp, type Caller, type TestApp } from '../../support/app.ts'
import { askForPlans } from '#tests/support/billing.ts'
import { aBidder, bid, close, endIn, publishAuction, readAuction } from '../../support/bidding.ts'
import { publish } from '../../support/factories.ts'
import { untilBlocked } from '../../support/locks.ts'
import { outbox } from '../../support/outbox.ts'
import { startNode } from '../../support/node-process.ts'
import { until } from '../../support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

interface Accepted {
  key: string
  seq: number
  bidderId: string
}

/** Checks that every acknowledged bid is stored, amounts rise, bid numbers have no gaps, and no bid was accepted after the end. */
async function checkHistory(t: Tap, app: TestApp, postId: string, accepted: Accepted[]): Promise<void> {
  const { db } = app.server.ctx
  const bids = await db.selectFrom('bids').selectAll().where('postId', '=', postId).orderBy('seq').execute()
  const auction = await db.selectFrom('auctions').selectAll().where('postId', '=', postId).executeTakeFirstOrThrow()
  t.same(
    bids.map((row) => row.seq),
    bids.map((_row, index) => index + 1),
    'bid numbers have no gaps',
  )
  t.ok(
    bids.every((row, index) => index === 0 || row.amountCents > (bids[index - 1]?.amountCents ?? 0)),
    'amounts rise',
  )
  const last = bids.at(-1)
  t.equal(last?.bidderId, auction.leaderId, 'the highest bid leads')
  t.equal(last?.amountCents, auction.amountCents)
  t.ok(
    bids.every((row) => row.at < auction.endsAt),
    'no bid came after the end',
  )
  t.ok(auction.endsAt <= auction.hardEndsAt, 'the end never passed the hard end')
  for (const { seq, bidderId } of accepted)
    t.ok(
      bids.some((row) => row.seq <= seq && row.bidderId === bidderId),
      'each acknowledged bid is in the history',
    )
  t.equal(new Set(accepted.map(({ key }) => key)).size, accepted.length, 'no key was acknowledged twice')
}

type Tap = Pick<typeof t, 'ok' | 'equal' | 'same'>

/** Bids on alternating nodes until the auction closes. Retries if a response is lost. */
async function bidUntilClosed(callers: Caller[], postId: string, turn: number): Promise<Accepted[]> {
  const accepted: Accepted[] = []
  let amount = 10_000
  for (let round = 0; ; round++) {
    const key = randomUUID()
    let answer: Awaited<ReturnType<typeof bid>> | undefined
    for (let node = turn + round; answer === undefined; node++) {
      const caller = callers[node % callers.length]
      if (caller !== undefined) answer = await bid(caller, postId, amount, key).catch(() => undefined)
    }
    if (answer.status === 201) {
      accepted.push({ key, seq: answer.body.seq, bidderId: callers[0]?.id ?? '' })
      amount = answer.body.amount + 500
    } else if (answer.body.error.details?.code === 'CLOSED') return accepted
    else if (answer.body.error.details?.code !== undefined) amount = answer.body.error.details.minNext
    else if (answer.status !== 503) throw new Error(`unexpected answer ${answer.status}`)
  }
}

t.test('gives one winner and one deal when bidders race on two nodes and one node is killed', async (t) => {
  const other = await startNode(t, app.services, { ROLES: 'api,rt,worker' })
  const elsewhere = { ...app, url: other.url }
  const seller = await app.signIn('Seller')
  const bidders = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => aBidder(app, name)))
  const postId = await publishAuction(seller)
  const running = bidders.map((bidder, turn) => bidUntilClosed([bidder, app.on(elsewhere, bidder)], postId, turn))
  await until('some bids', async () => (await readAuction(seller, postId)).bidCount > 10)
  await other.kill()
  await until('bids after the kill', async () => (await readAuction(seller, postId)).bidCount > 25)
  await endIn(app, postId, 300)
  const accepted = (await Promise.all(running)).flat()
  t.ok(accepted.length > 10)
  const closed = await until('the close', async () => {
    const auction = await readAuction(seller, postId)
    return auction.status === 'open' ? undefined : auction
  })
  t.equal(closed.status, 'sold')
  await checkHistory(t, app, postId, accepted)
  const deals = (await seller.get<Deal[]>(`/api/deals/${seller.id}`)).body
  t.match(deals, [{ price: closed.amount, status: 'pending' }], 'one deal at the last price')
  t.equal(deals.length, 1)
})

async function connect(t: Test, app: TestApp): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: app.services.DATABASE_URL })
  await client.connect()
  t.teardown(() => client.end())
  return client
}

t.test('queues simultaneous bids and checks each against the end left by the previous one', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const [holder, watcher] = [await connect(t, app), await connect(t, app)]
  for (const [what, moreMs, status] of [
    ['extended', 60_000, 201],
    ['left', 0, 409],
  ] as const) {
    // On a busy machine, the worker may close the auction before this test locks it. In that case, try another auction.
    const postId = await until('an auction held before its close', async () => {
      const id = await publishAuction(seller)
      await endIn(app, id, 500)
      await watcher.query(`update auctions set hard_ends_at = ends_at + interval '10 minutes' where post_id = $1`, [id])
      // Simulate an uncommitted bid from another process.
      await holder.query('begin')
      const { rowCount } = await holder.query(
        `update auctions set ends_at = ends_at + $2 * interval '1 millisecond' where post_id = $1 and status = 'open'`,
        [id, moreMs],
      )
      if (rowCount === 1) return id
      await holder.query('rollback')
      return undefined
    })
    await until('the original end', async () => {
      const { rows } = await watcher.query('select from auctions where post_id = $1 and ends_at <= clock_timestamp()', [
        postId,
      ])
      return rows.length > 0
    })
    const answer = bid(buyer, postId, 10_000)
    await untilBlocked(watcher, '%place_bids%')
    await holder.query('commit')
    t.equal((await answer).status, status, what)
  }
})

t.test(
  'processes a reserve met in the last seconds and the end of an auction in order, so that the first one counts',
  async (t) => {
    const [seller, buyer] = [await aBidder(app, 'Seller'), await aBidder(app, 'Buyer')]
    const watcher = await connect(t, app)
    const { db } = app.server.ctx
    const anEnding = async () => {
      const postId = await publishAuction(seller, { reserveAmount: 15_000 })
      await bid(buyer, postId, 12_000)
      await endIn(app, postId, 2_000)
      await watcher.query(`update auctions set hard_ends_at = ends_at + interval '10 minutes' where post_id = $1`, [
        postId,
      ])
      return postId
    }
    const untilDue = (postId: string) =>
      until('the original end', async () => {
        const due = 'select from auctions where post_id = $1 and ends_at <= clock_timestamp()'
        return (await watcher.query(due, [postId])).rows.length > 0
      })
    // On a busy machine, a step may run only after the auction has ended. In that case, try another auction.
    const { lowered, before, closing } = await until('a reserve lowered before the end', async () => {
      const lowered = await anEnding()
      const before = await readAuction(buyer, lowered)
      return db.transaction().execute(async (tx) => {
        const change = await lowerReserve(tx, lowered, 1_200_000)
        if (change === undefined) return undefined
        t.match(change, { fromCents: 1_500_000 })
        await untilDue(lowered)
        const end = db.transaction().execute((other) => closeDue(other, lowered))
        await untilBlocked(watcher, 'update "auctions" set "status"%')
        return { lowered, before, closing: { end } }
      })
    })
    t.equal(await closing.end, undefined, 'the close finds a later end')
    const after = await readAuction(buyer, lowered)
    t.match(after, { status: 'open', reserve: 'met', amount: 12_000 })
    t.ok(after.endsAt > before.endsAt, 'time is left for another bid')
    t.equal((await close(app, seller, lowered)).status, 'sold')

    const { closed, lowering } = await until('an auction locked before its close', async () => {
      const closed = await anEnding()
      return db.transaction().execute(async (tx) => {
        if ((await lockAuction(tx, closed, seller.id))?.status !== 'open') return undefined
        await untilDue(closed)
        t.match(await closeDue(tx, closed), { status: 'deciding' })
        const key = { 'idempotency-key': randomUUID() }
        const answer = seller.post(`/api/inventory/${closed}/auction/reserve`, { amount: 12_000 }, key)
        await untilBlocked(watcher, '%for no key update%')
        return { closed, lowering: { answer } }
      })
    })
    t.match(await lowering.answer, { status: 409, body: { error: { details: { code: 'CLOSED' } } } })
    t.match(await readAuction(buyer, closed), { status: 'deciding', reserve: 'not_met' })
  },
)

t.test('checks new terms against the auction as it is when their turn comes', async (t) => {
  const seller = await aBidder(app, 'Seller')
  const watcher = await connect(t, app)
  const { db } = app.server.ctx
  const lock = 'select%from "auctions"%for no key update'
  const change = (postId: string, terms: AuctionTerms) =>
    seller.patch<Auction>(`/api/inventory/${postId}/auction`, terms)

  const both = await publishAuction(seller)
  const changing = await db.transaction().execute(async (tx) => {
    await lockAuction(tx, both, seller.id)
    const changes = [change(both, { startAmount: 8_000 }), change(both, { reserveAmount: 15_000 })]
    await untilBlocked(watcher, lock, changes.length)
    return { answers: Promise.all(changes) }
  })
  t.match(await changing.answers, [{ status: 200 }, { status: 200 }])
  t.match(await readAuction(seller, both), { startAmount: 8_000, seller: { reserveAmount: 15_000 } }, 'both are kept')

  await askForPlans(t, app)
  const stopped = await publishAuction(seller)
  await db.updateTable('subscriptions').set({ status: 'past_due' }).where('dealerId', '=', seller.id).execute()
  const ending = await db.transaction().execute(async (tx) => {
    t.ok(await stopOpen(tx, stopped))
    const answer = change(stopped, { startAmount: 8_000 })
    await untilBlocked(watcher, lock)
    return { answer }
  })
  t.equal((await ending.answer).status, 402, 'running it again needs a plan, like a new auction')
  t.match(await readAuction(seller, stopped), { status: 'no_sale', startAmount: 10_000 })
})

t.test('checks a post change that waited for bidding to open against the open auction', async (t) => {
  const seller = await aBidder(app, 'Seller')
  const [holder, watcher] = [await connect(t, app), await connect(t, app)]
  for (const [patch, expected, status] of [
    [{ status: 'sold', endAuction: true }, { status: 200 }, 'no_sale'],
    [{ auction: {} }, { status: 409, body: { error: { message: /already has an auction/ } } }, 'open'],
  ] as const) {
    const postId = await publish(seller, { title: 'Live auction: 2021 Ford F-150' })
    const path = `/api/inventory/${postId}`
    // PostgreSQL serves waiting transactions in order unless one before them updates the row. So this job must not wait with them.
    await until('the summary', async () => !(await outbox(app, 'job')).some(({ name }) => name === 'post.summarize'))
    await holder.query('begin')
    await holder.query('select from posts where id = $1 for update', [postId])
    const switched = seller.patch(path, { auction: {} })
    await untilBlocked(watcher, 'select%from "posts"%')
    const changed = seller.patch(path, patch)
    await untilBlocked(watcher, 'select%from "posts"%', 2)
    await holder.query('commit')
    t.equal((await switched).status, 200)
    t.match(await changed, expected)
    t.equal((await readAuction(seller, postId)).status, status)
  }
})

t.test('creates one deal if two workers close at once', async (t) => {
  const second = await startApp(t, {}, app.services)
  const seller = await app.signIn('Seller')
  const buyer = await aBidder(app, 'Buyer')
  const posts = await Promise.all(Array.from({ length: 6 }, () => publishAuction(seller)))
  for (const postId of posts) await bid(buyer, postId, 10_000)
  const { db } = app.server.ctx
  await db
    .updateTable('auctions')
    .set({ endsAt: new Date(Date.now() - 1), startsAt: new Date(Date.now() - 60_000) })
    .execute()
  const { sweepAuctions } = await import('#server/features/auctions/auction-closing.service.ts')
  await Promise.all([app, second, app, second].map(({ server }) => sweepAuctions(server.ctx)))
  // These sweeps skip auctions that the workers are already closing.
  const openOnes = db.selectFrom('auctions').select('postId').where('status', '=', 'open')
  await until('every close', async () => (await openOnes.execute()).length === 0)
  t.equal((await buyer.get<Deal[]>(`/api/deals/${buyer.id}`)).body.length, posts.length)
})
