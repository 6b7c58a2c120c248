import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { commentsLive } from '#client/features/comments/comments.live.ts'
import { postsLive } from '#client/features/posts/posts.live.ts'
import { postKey } from '#client/lib/query/query-keys.ts'
import { lanePositionsMax } from '#shared/limits.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { startApp, type Caller } from '#tests/support/app.ts'
import { aBidder, bid, publishAuction, readAuction } from '#tests/support/bidding.ts'
import { commentAtOnce, commentsReceived, watch } from '#tests/support/crowd.ts'
import { publish } from '#tests/support/factories.ts'
import type { LiveClient } from '#tests/support/live-client.ts'
import { until, untilTaken } from '#tests/support/wait.ts'
import { aQueryClient } from '#tests/support/query-cache.ts'

const one = await startApp(t)
const two = await startApp(t, {}, one.services)

/** The most packets allowed: two initial packets, one per 100 ms, and one because the period may start at any point of the interval. */
const packetsWithin = (ms: number): number => 2 + ms / 100 + 1

/** Waits for the AI summary, which is the last automatic change to a new post. */
const untilSummed = (reader: Caller, postId: string): Promise<PostDetail> =>
  until('the AI summary', async () => {
    const { body } = await reader.get<PostDetail>(`/api/inventory/${postId}`)
    return body.aiSummary === null ? undefined : body
  })

/** Places a bid that is higher than the bid of the previous step, by the other bidder. */
async function bidInTurn(t: Test, [even, odd]: [Caller, Caller], postId: string, step: number): Promise<void> {
  const bidder = step % 2 === 0 ? even : odd
  const { status } = await untilTaken((key) => bid(bidder, postId, 10_000 + step * 500, key))
  t.equal(status, 201)
}

function holdPost(post: PostDetail) {
  const cache = aQueryClient()
  cache.setQueryData(postKey(post.id), post)
  return {
    apply({ heard }: LiveClient): PostDetail | undefined {
      for (const { name, event } of heard) {
        if (name === 'post.changed') postsLive[name](cache, event as never)
        if (name === 'post.comment') commentsLive[name](cache, event as never)
      }
      const held = cache.getQueryData<PostDetail>(postKey(post.id))
      cache.clear()
      return held
    },
  }
}

t.test('delivers many concurrent comments and likes in few packets from any node', async (t) => {
  const [seller, reader] = [await one.signIn('Seller'), await one.signIn('Reader')]
  const writers = [await one.signIn('First'), one.on(two, await one.signIn('Second')), await one.signIn('Third')]
  const id = await publish(seller)
  const before = await untilSummed(reader, id)
  const { live, counted } = await watch(one.on(two, reader), id)
  const start = performance.now()
  const [ids] = await Promise.all([
    commentAtOnce(t, writers, id, 60),
    ...writers.map((writer) => untilTaken(() => writer.put(`/api/inventory/${id}/reactions/like`))),
  ])
  await until('every comment to arrive', () => commentsReceived(live).length >= 60)
  const { body: after } = await reader.get<PostDetail>(`/api/inventory/${id}`)
  await live.nextEvent('post.changed', ({ version }) => version === after.version)
  t.ok(counted.packets <= packetsWithin(performance.now() - start), `${counted.packets} packets sent`)
  t.same(commentsReceived(live).toSorted(), ids)
  t.match(await live.nextEvent('post.changed', ({ likeCount }) => likeCount === 3), { postId: id })
  const held = holdPost(before).apply(live)
  t.match(held, { commentCount: 60, likeCount: 3 })
  t.ok((held?.version ?? 0) >= after.version, 'the events include the newest version')
  t.same(held?.comments.slice(-after.comments.length), after.comments)
  const finer = one.server.ctx.db.selectFrom('comments').select('id').where('postId', '=', id)
  const isFiner = sql<boolean>`created_at <> date_trunc('milliseconds', created_at)`
  t.same(await finer.where(isFiner).execute(), [], 'no comment time is more precise than the published one')
})

t.test('delivers the last state of an auction on several nodes in few packets', async (t) => {
  const seller = await one.signIn('Seller')
  const [ann, bob] = [await aBidder(one, 'Ann'), one.on(two, await aBidder(one, 'Bob'))]
  const postId = await publishAuction(seller)
  const { live, counted } = await watch(seller, postId)
  const start = performance.now()
  for (let step = 0; step < 40; step += 1) await bidInTurn(t, [ann, bob], postId, step)
  const last = await readAuction(seller, postId)
  await live.nextEvent('auction.state', ({ seq }) => seq === last.seq)
  t.ok(counted.packets <= packetsWithin(performance.now() - start), `${counted.packets} packets sent`)
})

t.test('delivers the last states of six Lane panes in few packets while two nodes accept bids', async (t) => {
  const [seller, reader] = [await one.signIn('Seller'), await one.signIn('Reader')]
  const [ann, bob] = [await aBidder(one, 'Ann'), one.on(two, await aBidder(one, 'Bob'))]
  const posts = await Promise.all(Array.from({ length: lanePositionsMax }, () => publishAuction(seller)))
  const [focused = '', ...others] = posts
  const { live, counted } = await watch(reader, focused)
  await live.view({ kind: 'lane', id: '', on: true })
  for (const id of others) await live.view({ kind: 'lot', id, on: true })
  const start = performance.now()
  await Promise.all(
    posts.map(async (postId) => {
      for (let step = 0; step < 30; step += 1) await bidInTurn(t, [ann, bob], postId, step)
    }),
  )
  for (const postId of posts) {
    const { seq } = await readAuction(reader, postId)
    await live.nextEvent('auction.state', (state) => state.postId === postId && state.seq === seq)
  }
  const ms = performance.now() - start
  // Allow one extra packet per room, because the period may start at any point of the interval.
  const most = packetsWithin(ms) + others.length * (1 + ms / 600 + 1) + 1 + ms / 1_000 + 1
  t.ok(counted.packets <= most, `${counted.packets} packets in ${Math.round(ms)} ms, ${Math.floor(most)} at most`)
})
