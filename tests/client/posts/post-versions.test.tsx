import { becomes, show } from '#tests/support/screen.tsx'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { auctionQuery } from '#client/lib/auction/cached-auctions.ts'
import { auctionsLive } from '#client/features/auctions/auctions.live.ts'
import { commentsLive } from '#client/features/comments/comments.live.ts'
import { PostSummary } from '#client/features/posts/card/post-summary.tsx'
import { postsLive } from '#client/features/posts/posts.live.ts'
import type { FeedData } from '#client/lib/post/cached-posts.ts'
import { feedsKey, postKey } from '#client/lib/query/query-keys.ts'
import type { PostChange } from '#shared/events/posts.ts'
import { Auction } from '#shared/schemas/auctions.ts'
import { MySubscription } from '#shared/schemas/billing.ts'
import { MarketPosition, PostDetail } from '#shared/schemas/posts.ts'
import { says } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http } from '#tests/support/network.ts'
import { aComment, aPostDetail } from '#tests/support/records.ts'
import { until } from '#tests/support/wait.ts'
import { aQueryClient } from '#tests/support/query-cache.ts'

/** Loads a post at version 4 into a page and a feed. `store.isAway` makes the server fail. */
function holdPost(t: Test) {
  const network = fakeNetwork(t)
  const cache = aQueryClient()
  t.teardown(() => cache.clear())
  const post = aPostDetail({ version: 4 })
  const { id } = post
  const store = { post, isAway: false, asked: 0 }
  network.use(
    http.get(`*/api/inventory/${id}`, () => {
      store.asked += 1
      return store.isAway ? away() : answer(PostDetail, store.post)
    }),
  )
  cache.setQueryData(postKey(id), post)
  cache.setQueryData<FeedData>(feedsKey, {
    pages: [{ posts: [post], total: 1, next: undefined }],
    pageParams: [undefined],
  })
  const held = () => cache.getQueryData<PostDetail>(postKey(id)) ?? post
  const versions = () => [held().version, cache.getQueryData<FeedData>(feedsKey)?.pages[0]?.posts[0]?.version]
  const { status, vehicleCount, availableCount, viewCount, commentCount, likeCount, infoCount, bidCount } = post
  const counters = { status, vehicleCount, availableCount, viewCount, commentCount, likeCount, infoCount, bidCount }
  const changed = (version: number, about: Partial<PostChange> = {}) =>
    postsLive['post.changed'](cache, { postId: id, version, ...counters, ...about })
  const settled = () => until('the answer', () => store.asked > 0 && cache.isFetching() === 0)
  return { cache, network, id, store, held, versions, changed, settled }
}

t.test('fetches the post after a missed change', async (t) => {
  const { store, held, versions, changed, settled } = holdPost(t)
  store.post = { ...store.post, version: 6, title: 'New title', likeCount: 1 }
  store.isAway = true
  changed(6, { likeCount: 1 })
  await settled()
  t.same(versions(), [4, 4], 'a change that failed to load is still missing')
  store.isAway = false
  store.post = { ...store.post, version: 7, likeCount: 2 }
  changed(7, { likeCount: 2 })
  await becomes(t, () => held().title, 'New title')
  t.same(versions(), [7, 7])
})

t.test('does not count an edit that failed to load as applied', async (t) => {
  const { cache, id, store, versions, changed, settled } = holdPost(t)
  store.isAway = true
  changed(5, { partial: true })
  postsLive['post.edited'](cache, { postId: id, version: 5 })
  await settled()
  t.same(versions(), [4, 4])
})

t.test('applies overtaking changes in order without a fetch', (t) => {
  const { store, held, versions, changed } = holdPost(t)
  changed(6, { likeCount: 2 })
  t.same(versions(), [4, 4])
  changed(5, { likeCount: 1 })
  t.same(versions(), [6, 6])
  changed(5, { likeCount: 1 })
  t.equal(held().likeCount, 2)
  t.equal(store.asked, 0)
  t.end()
})

t.test('counts a comment at once and raises the version when it arrives', (t) => {
  const { cache, id, store, held, versions, changed } = holdPost(t)
  changed(5, { partial: true, commentCount: 1 })
  t.equal(held().commentCount, 1)
  t.same(versions(), [4, 4])
  commentsLive['post.comment'](cache, { postId: id, comment: aComment(), commentCount: 1, version: 5 })
  t.same(versions(), [5, 5])
  t.equal(held().comments.length, 1)
  t.equal(store.asked, 0)
  t.end()
})

t.test('counts overtaking comments once earlier ones arrive, without a fetch', async (t) => {
  const { cache, id, store, held, versions, changed } = holdPost(t)
  const commented = (version: number) =>
    commentsLive['post.comment'](cache, {
      postId: id,
      comment: aComment({ id: `comment-${version}` }),
      commentCount: version - 4,
      version,
    })
  changed(7, { partial: true, since: 5, commentCount: 3 })
  commented(7)
  commented(6)
  t.same(versions(), [4, 4])
  commented(5)
  t.same(versions(), [7, 7])
  changed(9, { likeCount: 2, since: 7 })
  t.same(versions(), [9, 9], 'one change may include several')
  changed(11, { partial: true, commentCount: 4 })
  commented(11)
  changed(10, { likeCount: 3 })
  t.same(versions(), [11, 11])
  t.equal(held().comments.length, 4)
  t.equal(store.asked, 0)
})

for (const [what, isLoaded] of [
  ['does not undo an event with an older auction response', true],
  ['applies an event that arrives while the auction is first loaded', false],
] as const)
  t.test(what, async (t) => {
    const { cache, id, network } = holdPost(t)
    const before: Auction = {
      postId: id,
      seq: 1,
      status: 'open',
      endReason: null,
      amount: 10_000,
      startAmount: 10_000,
      increment: 500,
      minNext: 10_500,
      bidCount: 1,
      leader: 1,
      reserve: 'none',
      startsAt: '2026-11-20T10:00:00.000Z',
      endsAt: '2026-11-20T11:00:00.000Z',
      hardEndsAt: '2026-11-20T12:00:00.000Z',
      bids: [],
      serverNow: '2026-11-20T10:30:00.000Z',
      you: { isSeller: false, number: null, maximum: null, preset: null },
      seller: null,
    }
    const after: Auction = { ...before, seq: 2, status: 'sold' }
    const answers = [before, after]
    if (isLoaded) cache.setQueryData(auctionQuery(id).queryKey, before)
    network.use(
      http.get(`*/api/inventory/${id}/auction`, () => {
        auctionsLive['auction.state'](cache, after)
        return answer(Auction, answers.shift() ?? after)
      }),
    )
    await cache.fetchQuery(auctionQuery(id))
    t.equal(cache.getQueryData(auctionQuery(id).queryKey)?.status, 'sold')
    t.equal(answers.length, 0, 'it was fetched again')
  })

t.test('refetches the market position after an edit', async (t) => {
  const post = aPostDetail({ version: 4, vehicleCount: 1, aiSummary: JSON.stringify([{ text: 'One owner' }]) })
  let percent = -3.2
  fakeNetwork(t).use(
    http.get('*/api/my-subscription', () =>
      answer(MySubscription, { hasSubscription: false, subscription: null, entitlements: ['marketPosition'] }),
    ),
    http.get(`*/api/inventory/${post.id}`, () => answer(PostDetail, { ...post, version: 5 })),
    http.get(`*/api/inventory/${post.id}/market`, () =>
      answer(Type.Array(MarketPosition), [{ vehicleId: post.id, name: 'Ford XLT', percent, count: 8, dealers: 4 }]),
    ),
  )
  const { cache } = show(t, <PostSummary post={post} />)
  await says(/3\.2% below/)
  percent = 2
  postsLive['post.edited'](cache, { postId: post.id, version: 5 })
  await says(/2\.0% above/)
})
