import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import t from 'tap'
import type { AuctionStatus } from '#shared/schemas/auctions.ts'
import type { BidRequest } from '#server/features/auctions/auctions.repository.ts'
import { openDb, openPool, type Db } from '#server/platform/db.ts'
import { decide, type Lot, type Model } from '#tests/support/bid-model.ts'
import { cloneDatabase } from '#tests/support/services.ts'

const numRuns = 100
const minuteMs = 60_000
/** Those that tell what the auction would take. */
const priceRefusals = new Set(['CLOSED', 'OWN', 'LEADING', 'TOO_LOW'])
/** The seller of all, three who may bid, and three who are named by why they may not. */
const people = ['seller', 'one', 'two', 'three', 'GONE', 'NO_PLAN', 'OWING'] as const
const statuses = ['active', 'active', 'trialing', 'active', 'active', 'canceled', 'past_due'] as const

interface LotPlan {
  status: AuctionStatus
  start: number
  step: number
  /** Begin and end in minutes from now. */
  times: [number, number]
  /** Minutes from the end to the hard end. */
  hardAfter: number
}

interface BidPlan {
  /** One more than there are auctions: a post without one. */
  lot: number
  bidder: number
  kind: 'bid' | 'max'
  steps: number
  /** What it has of an earlier bid: nothing, the key, or all. */
  again: 'no' | 'key' | 'all'
  earlier: number
}

/** What place-bids.sql answers. */
interface PlacedRow {
  bidNo: number | null
  refusal: string | null
  postId: string
  seq: number
  priceCents: number | null
  minNextCents: number
  endsAt: Date | null
  decidedAt: Date | null
  leads: boolean
  bidderNumber: number
  outboxId: string
  outbid: string[]
}

const aLot = fc.record<LotPlan>({
  status: fc.constantFrom('open', 'open', 'open', 'open', 'open', 'no_sale'),
  start: fc.constantFrom(50_000, 100_000),
  step: fc.constantFrom(30_000, 50_000),
  // Over, within the soft close, far from it, and not begun.
  times: fc.constantFrom<[number, number][]>([-60, -1], [-60, 0.5], [-60, 0.5], [-60, 20], [-60, 20], [5, 20]),
  hardAfter: fc.constantFrom(0, 0.25, 10),
})
const aBid = fc.record<BidPlan>({
  lot: fc.nat(3),
  bidder: fc.constantFrom(0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 6),
  kind: fc.constantFrom('bid', 'max'),
  // Few prices, so that many are equal.
  steps: fc.nat(16),
  again: fc.constantFrom('no', 'no', 'no', 'no', 'key', 'all'),
  earlier: fc.nat(20),
})
const aRun = fc.record({
  lots: fc.array(aLot, { minLength: 3, maxLength: 3 }),
  batches: fc.array(fc.array(aBid, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 }),
  softCloseMs: fc.constantFrom(30_000, 120_000),
})

async function insertPeople(db: Db): Promise<string[]> {
  const rows = people.map((name) => ({
    email: `${name}@bids.example`,
    suspendedAt: name === 'GONE' ? new Date() : null,
  }))
  const ids = (await db.insertInto('dealers').values(rows).returning('id').execute()).map(({ id }) => id)
  await db
    .insertInto('subscriptions')
    .values(
      ids.map((dealerId, index) => ({
        dealerId,
        planId: 'basic',
        priceCents: 9_900,
        status: statuses[index] ?? 'canceled',
      })),
    )
    .execute()
  return ids
}

const insertPost = async (db: Db, dealerId: string): Promise<string> =>
  (
    await db
      .insertInto('posts')
      .values({ dealerId, type: 'single', title: 'A lot' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

async function openLot(
  db: Db,
  seller: string,
  { status, start, step, times, hardAfter }: LotPlan,
): Promise<[string, Lot]> {
  const now = Date.now()
  const [startsAt, endsAt] = [now + times[0] * minuteMs, now + times[1] * minuteMs]
  const hardEndsAt = endsAt + hardAfter * minuteMs
  const postId = await insertPost(db, seller)
  const dates = { startsAt: new Date(startsAt), endsAt: new Date(endsAt), hardEndsAt: new Date(hardEndsAt) }
  await db
    .insertInto('auctions')
    .values({ postId, sellerId: seller, status, startCents: start, incrementCents: step, ...dates })
    .execute()
  const bidding = { price: null, leader: null, ceiling: 0, bidders: [], history: [], outbid: [] }
  return [postId, { seller, open: status === 'open', startsAt, endsAt, hardEndsAt, start, step, ...bidding }]
}

/** An auction as the database has it after some bids, in the words of the model. */
async function readLot(db: Db, postId: string) {
  const auction = await db.selectFrom('auctions').selectAll().where('postId', '=', postId).executeTakeFirstOrThrow()
  const bids = await db.selectFrom('bids').selectAll().where('postId', '=', postId).orderBy('seq').execute()
  const bidders = await db
    .selectFrom('auctionBidders')
    .selectAll()
    .where('postId', '=', postId)
    .orderBy('number')
    .execute()
  return {
    numbers: bids.map(({ seq }) => seq),
    counted: [auction.seq, auction.bidCount, auction.bidderCount],
    price: auction.amountCents,
    leader: auction.leaderId,
    ceiling: auction.leaderMaxCents ?? 0,
    endsAt: auction.endsAt.getTime(),
    bidders: bidders.map(({ bidderId }) => bidderId),
    history: bids.map(({ bidderId: bidder, amountCents: cents, auto }) => ({ bidder, cents, auto })),
  }
}

const asRead = ({ price, leader, ceiling, endsAt, bidders, history }: Lot) => ({
  numbers: history.map((_bid, index) => index + 1),
  counted: [history.length, history.length, bidders.length],
  price,
  leader,
  ceiling,
  endsAt,
  bidders,
  history,
})

/** Of the bids that make a run: some have the key, or all, of an earlier one. */
function toRequests(plan: BidPlan[], postIds: string[], dealers: string[], earlier: BidRequest[]): BidRequest[] {
  return plan.map(({ lot, bidder, kind, steps, again, earlier: place }) => {
    const before = again === 'no' ? undefined : earlier[place % Math.max(1, earlier.length)]
    const request = {
      postId: postIds[lot] ?? '',
      bidderId: before?.bidderId ?? dealers[bidder] ?? '',
      key: before?.key ?? randomUUID(),
      kind,
      cents: 40_000 + steps * 15_000,
      ...(again === 'all' && before),
    }
    earlier.push(request)
    return request
  })
}

async function place(db: Db, requests: BidRequest[], softCloseMs: number) {
  const json = JSON.stringify(
    requests.map(({ postId: post, bidderId: bidder, ...rest }) => ({ post, bidder, ...rest })),
  )
  const { rows } = await sql<PlacedRow>`
    select * from place_bids(${json}::jsonb, ${softCloseMs}, '{active,trialing}')`.execute(db)
  return rows
}

/** What a bid was answered, in the words of the model. */
function asDecided({ refusal, seq, priceCents, minNextCents, leads, bidderNumber, ...row }: PlacedRow) {
  const endsAt = row.endsAt?.getTime()
  if (refusal === null) return { seq, priceCents, endsAt, leads, bidderNumber }
  return priceRefusals.has(refusal) ? { refusal, priceCents, minNextCents, endsAt } : { refusal }
}

const byPost = (a: { postId: string }, b: { postId: string }) => a.postId.localeCompare(b.postId)

/** Decides a batch by the function and by the model, which takes the function's word for the time and for nothing else. */
async function compareBatch(db: Db, model: Model, requests: BidRequest[], seen: Set<string>): Promise<void> {
  const rows = await place(db, requests, model.softCloseMs)
  const counts = new Map([...model.lots].map(([postId, lot]) => [postId, lot.history.length]))
  for (const lot of model.lots.values()) lot.outbid = []
  const answers = rows.filter(({ bidNo }) => bidNo !== null)
  const inOrder = requests.map((request, index) => ({ ...request, bidNo: index + 1 })).toSorted(byPost)
  assert.deepEqual(
    answers.map(({ bidNo }) => bidNo),
    inOrder.map(({ bidNo }) => bidNo),
    'every bid has one answer, and an auction decides them in the order given',
  )
  for (const [index, row] of answers.entries()) {
    const { bidNo: _, ...request } = inOrder[index] ?? assert.fail()
    seen.add(row.refusal ?? (row.leads ? 'leads' : 'behind'))
    assert.deepEqual(asDecided(row), decide(model, request, row.decidedAt?.getTime() ?? 0))
  }
  const moved = [...model.lots].flatMap(([postId, { price, leader, history, outbid }]) => {
    if (history.length === counts.get(postId)) return []
    const told = [...new Set(outbid)].filter((id) => id !== leader)
    return { postId, seq: history.length, priceCents: price, outbid: told.toSorted() }
  })
  const said = rows.filter(({ bidNo }) => bidNo === null)
  assert.deepEqual(
    said.map(({ postId, seq, priceCents, outbid }) => ({ postId, seq, priceCents, outbid: outbid.toSorted() })),
    moved.toSorted(byPost),
  )
  for (const { postId, outboxId, seq, outbid } of said) {
    const event = await db
      .selectFrom('outbox')
      .select(['name', 'payload'])
      .where('id', '=', outboxId)
      .executeTakeFirst()
    assert.deepEqual(event, { name: 'auction.changed', payload: { postId } })
    const marked = await db
      .selectFrom('auctionBidders')
      .select('bidderId')
      .where('postId', '=', postId)
      .where('outbidSeq', '=', seq)
      .execute()
    assert.deepEqual(marked.map(({ bidderId }) => bidderId).toSorted(), outbid.toSorted())
  }
  for (const [postId, lot] of model.lots) assert.deepEqual(await readLot(db, postId), asRead(lot))
}

t.test('bids are decided as by a model of the rules, whatever they are and however they arrive', async (t) => {
  const pool = openPool(await cloneDatabase(t), 1, 20_000)
  const db = openDb(pool)
  t.teardown(() => db.destroy())
  const dealers = await insertPeople(db)
  const [seller = ''] = dealers
  const barred = new Map(['GONE', 'NO_PLAN', 'OWING'].map((why, index) => [dealers[index + 4] ?? '', why]))
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(aRun, async ({ lots, batches, softCloseMs }) => {
      const opened: [string, Lot][] = []
      for (const lot of lots) opened.push(await openLot(db, seller, lot))
      const postIds = [...opened.map(([postId]) => postId), await insertPost(db, seller)]
      const model: Model = { lots: new Map(opened), barred, receipts: new Map(), softCloseMs }
      const earlier: BidRequest[] = []
      for (const batch of batches) await compareBatch(db, model, toRequests(batch, postIds, dealers, earlier), seen)
    }),
    { numRuns },
  )
  const outcomes = [...people.slice(4), ...priceRefusals, 'NONE', 'KEY', 'leads', 'behind']
  t.same([...seen].toSorted(), outcomes.toSorted(), 'every outcome was among them')
})
