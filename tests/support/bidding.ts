import { randomUUID } from 'node:crypto'
import type { Auction, AuctionTerms, PlacedBid, RefusedBid } from '#shared/schemas/auctions.ts'
import { grantDemoPlan } from '#server/features/billing/billing-changes.service.ts'
import type { Answer, Caller, TestApp } from './app.ts'
import { publish } from './factories.ts'
import { until } from './wait.ts'

export async function aBidder(app: TestApp, dealershipName: string): Promise<Caller> {
  const caller = await app.signIn(dealershipName, { name: dealershipName })
  const { ctx } = app.server
  await ctx.transact((tx, emit) => grantDemoPlan(tx, emit, caller.id, ctx.now()))
  return caller
}

/** Publishes a live auction that starts at $10,000 with an increment of $500. It has no reserve by default. */
export const publishAuction = (seller: Caller, terms: AuctionTerms = {}): Promise<string> =>
  publish(seller, {
    title: 'Live auction: 2021 Ford F-150 XLT',
    auction: { startAmount: 10_000, reserveAmount: null, ...terms },
  })

export async function copyAuction(app: TestApp, postId: string, count: number): Promise<string[]> {
  const { db } = app.server.ctx
  const { sellerId, ...terms } = await db
    .selectFrom('auctions')
    .select(['sellerId', 'startCents', 'incrementCents', 'startsAt', 'endsAt', 'hardEndsAt'])
    .where('postId', '=', postId)
    .executeTakeFirstOrThrow()
  const posts = Array.from({ length: count }, (_, no) => ({
    dealerId: sellerId,
    type: 'single' as const,
    title: `Auction ${no}`,
  }))
  const inserted = await db.insertInto('posts').values(posts).returning('id').execute()
  const ids = inserted.map(({ id }) => id)
  const auctions = ids.map((id) => ({ postId: id, sellerId, ...terms }))
  await db.insertInto('auctions').values(auctions).execute()
  return ids
}

type Bidding = Answer<PlacedBid & { error: { code: string; message: string; details: RefusedBid } }>

export const bid = (bidder: Caller, postId: string, amount: number, key = randomUUID()): Promise<Bidding> =>
  bidder.post(`/api/inventory/${postId}/bids`, { amount }, { 'idempotency-key': key })

export const setMaximum = (bidder: Caller, postId: string, amount: number, key = randomUUID()): Promise<Bidding> =>
  bidder.put(`/api/inventory/${postId}/max-bid`, { amount }, { 'idempotency-key': key })

export const readAuction = async (caller: Caller, postId: string): Promise<Auction> =>
  (await caller.get<Auction>(`/api/inventory/${postId}/auction`)).body

/** Makes the auction end in `ms` milliseconds. The server's sweeper then closes it. */
export async function endIn(app: TestApp, postId: string, ms: number): Promise<void> {
  await app.server.ctx.db.transaction().execute(async (tx) => {
    const auction = tx.selectFrom('auctions').select('startsAt').where('postId', '=', postId)
    const { startsAt } = await auction.forUpdate().executeTakeFirstOrThrow()
    // Read the clock once bids wait for the lock. Otherwise a bid could be accepted after this end.
    const endsAt = new Date(Date.now() + ms)
    await tx
      .updateTable('auctions')
      .set({
        endsAt,
        hardEndsAt: new Date(endsAt.getTime() + 1),
        startsAt: new Date(Math.min(startsAt.getTime(), endsAt.getTime() - 60_000)),
      })
      .where('postId', '=', postId)
      .execute()
  })
}

export async function close(app: TestApp, caller: Caller, postId: string): Promise<Auction> {
  await endIn(app, postId, -1)
  return until('the auction to close', async () => {
    const auction = await readAuction(caller, postId)
    return auction.status === 'open' ? undefined : auction
  })
}
