import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { Offer } from '#shared/schemas/deals.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { expirePosts } from '#server/features/posts/post-lifetime.service.ts'
import { setPostHidden } from '#server/features/posts/posts-changes.service.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { aBidder, bid, close, publishAuction, readAuction } from '#tests/support/bidding.ts'
import { publish } from '#tests/support/factories.ts'

const app = await startApp(t)
const { ctx } = app.server

const hide = (postId: string, hidden = true) => ctx.transact((tx, emit) => setPostHidden(tx, emit, postId, hidden))
const setPost = (postId: string, change: { hiddenAt?: Date; deletedAt?: Date; expiresAt?: Date; status?: 'expired' }) =>
  ctx.db.updateTable('posts').set(change).where('id', '=', postId).execute()
const offersOf = async (caller: Caller, postId: string) =>
  (await caller.get<Offer[]>(`/api/offers?postId=${postId}`)).body
const newest = async (caller: Caller) => (await caller.get<NotificationsPage>('/api/notifications')).body.items[0]
const act = (caller: Caller, { id, amount }: Offer, what: 'accept' | 'counter' | 'decline') =>
  caller.post<Offer & ErrorBody>(`/api/offers/${id}/${what}`, { amount: what === 'counter' ? amount + 500 : amount })

async function anOffer() {
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const postId = await publish(seller)
  const { vehicles } = (await buyer.get<PostDetail>(`/api/inventory/${postId}`)).body
  const { body } = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, {
    vehicleId: vehicles[0]?.id,
    amount: 30_000,
  })
  return { seller, buyer, postId, offer: body }
}

/** Creates an auction that ended below its reserve, so that the highest bid is an offer that waits for the seller. */
async function anAuctionOffer() {
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const postId = await publishAuction(seller, { reserveAmount: 20_000 })
  await bid(buyer, postId, 12_000)
  t.match(await close(app, seller, postId), { status: 'deciding' })
  const [offer] = await offersOf(seller, postId)
  if (offer === undefined) throw new Error('the auction left no offer')
  return { seller, buyer, postId, offer }
}

t.test('ends the open offers on a post that a moderator hides, and tells both sides', async (t) => {
  for (const make of [anOffer, anAuctionOffer]) {
    const { seller, buyer, postId, offer } = await make()
    t.equal(await hide(postId), true)
    for (const caller of [seller, buyer]) {
      t.match(await offersOf(caller, postId), [{ id: offer.id, status: 'ended' }], 'it remains in the history')
      t.match(await newest(caller), {
        title: /^Offer of \$\S+ ended: the vehicle is no longer for sale$/,
        body: /A moderator took the post down, which ended the offer\.$/,
        path: '/deals?stage=cancelled',
      })
    }
    await hide(postId, false)
    for (const what of ['accept', 'counter'] as const) t.equal((await act(seller, offer, what)).status, 409, what)
  }
})

t.test('ends an auction that waits for its seller without a sale when its post is hidden', async (t) => {
  const { seller, postId } = await anAuctionOffer()
  await hide(postId)
  await hide(postId, false)
  t.match(await readAuction(seller, postId), { status: 'no_sale' })
})

t.test('ends the open offers on a post that expires, and tells both sides', async (t) => {
  const { seller, buyer, postId, offer } = await anOffer()
  await setPost(postId, { expiresAt: new Date(Date.now() - 1_000) })
  await expirePosts(ctx)
  for (const caller of [seller, buyer]) {
    t.match(await offersOf(caller, postId), [{ id: offer.id, status: 'ended' }])
    const { items } = (await caller.get<NotificationsPage>('/api/notifications')).body
    t.ok(items.some(({ title }) => title === 'Offer of $30,000 ended: the post has expired'))
  }
})

t.test('ends the open offers on a post that its seller expires, and tells the buyer', async (t) => {
  const { seller, buyer, postId, offer } = await anOffer()
  t.equal((await seller.patch(`/api/inventory/${postId}`, { status: 'expired' })).status, 200)
  t.match(await offersOf(buyer, postId), [{ id: offer.id, status: 'ended' }])
  t.match(await newest(buyer), { title: 'Offer of $30,000 ended: the post has expired' })
})

t.test('refuses to accept or counter an offer on a hidden, removed or expired post', async (t) => {
  // Offers like these exist from versions in which offers did not end with their posts.
  for (const [why, change] of [
    ['hidden', { hiddenAt: new Date() }],
    ['removed', { deletedAt: new Date() }],
    ['expired', { status: 'expired' }],
  ] as const)
    for (const make of [anOffer, anAuctionOffer]) {
      const { seller, postId, offer } = await make()
      await setPost(postId, change)
      for (const what of ['counter', 'accept'] as const)
        t.match(
          await act(seller, offer, what),
          { status: 409, body: { error: { message: 'This vehicle is no longer available' } } },
          `${what}, ${why}, ${offer.source}`,
        )
      t.equal((await act(seller, offer, 'decline')).status, 200, 'it can be declined')
    }
})
