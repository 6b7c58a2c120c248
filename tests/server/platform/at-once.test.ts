import { randomUUID, type UUID } from 'node:crypto'
import t from 'tap'
import { apiKeysPerDealer } from '#shared/schemas/account.ts'
import type { Offer } from '#shared/schemas/deals.ts'
import type { Chat } from '#shared/schemas/messaging.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { type Answer, type Caller, startApp } from '#tests/support/app.ts'
import { aBidder, bid, publishAuction, setMaximum } from '#tests/support/bidding.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { aPost, publish } from '#tests/support/factories.ts'
import { acceptOffer } from '#tests/support/deals.ts'
import { untilTaken } from '#tests/support/wait.ts'

/** Number of simultaneous calls, more than the database connections of both nodes. */
const times = 25
const env = { DATABASE_POOL: '10' }
const app = await startApp(t, env)
const second = await startApp(t, env, app.services)

const atOnce = <Body>(caller: Caller, call: (from: Caller) => Promise<Answer<Body>>): Promise<Answer<Body>[]> => {
  const elsewhere = app.on(second, caller)
  return Promise.all(
    Array.from({ length: times }, (_, index) => untilTaken(() => call(index % 2 === 0 ? caller : elsewhere))),
  )
}

const statuses = (answers: Answer[]): Record<string, number> => {
  const counted: Record<string, number> = {}
  for (const { status } of answers) counted[status] = (counted[status] ?? 0) + 1
  return counted
}

const seller = await app.signIn('Seller')
const buyer = await aBidder(app, 'Buyer')

async function offerOn(postId: string): Promise<Keyed> {
  const vehicleId = (await buyer.get<PostDetail>(`/api/inventory/${postId}`)).body.vehicles[0]?.id
  return (from, key) => from.post(`/api/inventory/${postId}/offers`, { vehicleId, amount: 30_000 }, withKey(key))
}

type Keyed = (from: Caller, key: UUID) => Promise<Answer<object>>
const withKey = (key: string) => ({ 'idempotency-key': key })
/** Responses are compared by id, because other fields may change. */
const idOf = (body: object) => ('id' in body ? body.id : body)

const keyed: Record<string, () => Promise<Keyed>> = {
  'an offer': async () => offerOn(await publish(seller)),
  'a post': async () => (from, key) => from.post('/api/inventory', aPost(), withKey(key)),
  'an auction': async () => (from, key) =>
    from.post('/api/inventory', aPost({ title: 'Live auction: Ford F-150', auction: {} }), withKey(key)),
  'a comment': async () => {
    const postId = await publish(seller)
    return (from, key) => from.post(`/api/inventory/${postId}/comments`, { content: 'Still there?' }, withKey(key))
  },
  'a bid': async () => {
    const postId = await publishAuction(seller)
    return (from, key) => bid(from, postId, 10_000, key)
  },
  'a maximum': async () => {
    const postId = await publishAuction(seller)
    return (from, key) => setMaximum(from, postId, 12_000, key)
  },
  'a message': async () => {
    const chatId = await openChat(buyer, seller)
    return (from, key) => say(from, chatId, 'Hello', key)
  },
}

for (const [what, prepare] of Object.entries(keyed))
  t.test(`creates ${what} once for concurrent calls with one key, and repeats the first answer`, async (t) => {
    const call = await prepare()
    const key = randomUUID()
    const answers = await atOnce(buyer, (from) => call(from, key))
    t.same(statuses(answers), { 201: times })
    const again = await call(buyer, key)
    t.equal(again.status, 201)
    t.same(new Set(answers.map(({ body }) => JSON.stringify(idOf(body)))), new Set([JSON.stringify(idOf(again.body))]))
  })

async function aCompletedDeal(): Promise<string> {
  const made = (await (await offerOn(await publish(seller)))(buyer, randomUUID())).body as Offer
  const { dealId } = (await acceptOffer(seller, made.id)).body
  await seller.post(`/api/deal/${dealId}/approve`)
  for (const party of [seller, buyer])
    await party.post(`/api/deal/${dealId}/documents/odometer/signature`, { name: 'A Dealer' })
  await buyer.post(`/api/deal/${dealId}/complete`)
  return dealId ?? ''
}

/** Actions that can happen only once even without an idempotency key, with the status of the first response and of later ones. */
const single: Record<string, () => Promise<{ call: (from: Caller) => Promise<Answer>; first: number; later: number }>> =
  {
    'an offer without a key': async () => {
      const call = await offerOn(await publish(seller))
      return { call: (from) => call(from, randomUUID()), first: 201, later: 409 }
    },
    'a saved search': async () => ({
      call: (from) => from.post('/api/saved-searches', { search: 'ford', sort: 'recent' }),
      first: 201,
      later: 201,
    }),
    'a connection': async () => ({
      call: (from) => from.post(`/api/dealers/${seller.id}/connect`),
      first: 200,
      later: 200,
    }),
    'a reaction': async () => {
      const postId = await publish(seller)
      return { call: (from) => from.put(`/api/inventory/${postId}/reactions/like`), first: 204, later: 204 }
    },
    'a watch': async () => {
      const postId = await publish(seller)
      return { call: (from) => from.put(`/api/inventory/${postId}/watch`), first: 204, later: 204 }
    },
    'a review': async () => {
      const dealId = await aCompletedDeal()
      const review = { rating: 5, content: 'As described' }
      return { call: (from) => from.post(`/api/deal/${dealId}/reviews`, review), first: 201, later: 409 }
    },
    'a report': async () => {
      const report = { kind: 'post', subjectId: await publish(seller), reason: 'fraud' }
      return { call: (from) => from.post('/api/reports', report), first: 201, later: 409 }
    },
    'a chat': async () => {
      const other = await app.signIn('Other')
      return { call: (from) => from.post('/api/chats', { dealerId: other.id }), first: 201, later: 201 }
    },
  }

for (const [what, prepare] of Object.entries(single))
  t.test(`creates ${what} once for concurrent calls, without internal errors`, async (t) => {
    const { call, first, later } = await prepare()
    const answers = await atOnce(buyer, call)
    t.same(statuses(answers), first === later ? { [first]: times } : { [first]: 1, [later]: times - 1 })
  })

t.test('creates as many concurrent API keys as a dealer may have', async (t) => {
  const maker = await app.signIn('Maker', { plan: 'enterprise' })
  const answers = await atOnce(maker, (from) => from.post('/api/api-keys', { name: 'Program', scope: 'read' }))
  t.same(statuses(answers), { 201: apiKeysPerDealer, 409: times - apiKeysPerDealer })
})

t.test('creates one chat and one connection from both sides at once', async (t) => {
  for (let round = 0; round < 5; round++) {
    const [one, other] = [await app.signIn('One'), await app.signIn('Other')]
    const opened = await Promise.all([
      atOnce(one, (from) => from.post<Chat>('/api/chats', { dealerId: other.id })),
      atOnce(other, (from) => from.post<Chat>('/api/chats', { dealerId: one.id })),
    ])
    t.same(statuses(opened.flat()), { 201: 2 * times })
    t.equal(new Set(opened.flat().map(({ body }) => body.id)).size, 1)
    const connected = await Promise.all([
      atOnce(one, (from) => from.post(`/api/dealers/${other.id}/connect`)),
      atOnce(other, (from) => from.post(`/api/dealers/${one.id}/connect`)),
    ])
    t.same(statuses(connected.flat()), { 200: 2 * times })
  }
})
