import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent } from '@testing-library/react'
import { useState } from 'react'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { PostComments } from '#client/features/comments/post-comments.tsx'
import { Feed } from '#client/features/posts/feed/feed.tsx'
import type { FeedFilter } from '#client/features/posts/posts.api.ts'
import { postsLive } from '#client/features/posts/posts.live.ts'
import { OwnReactions, Post, PostDetail } from '#shared/schemas/posts.ts'
import { answer, fakeNetwork, http, HttpResponse, refusal } from '#tests/support/network.ts'
import { aComment, aCurrentUser, aFeedPost, aPostDetail, feedPosts } from '#tests/support/records.ts'

const Posts = Type.Array(Post)

function Page() {
  const [filter, setFilter] = useState<FeedFilter>({ search: '', sort: 'recent' })
  const [isAway, setAway] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setAway(!isAway)}>
        Leave or return
      </button>
      {isAway ? null : <Feed filter={filter} onFilter={setFilter} />}
    </>
  )
}

/** Opens the feed. Waits for the third post, because the first two render before the rest. */
function openFeed(t: Test, posts: Post[], settings: Record<string, unknown> = {}) {
  const network = fakeNetwork(t)
  const asked: string[] = []
  network.use(
    http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })),
    http.get('*/api/inventory', ({ request }) => {
      const { searchParams, search } = new URL(request.url)
      asked.push(search)
      const from = Number(searchParams.get('cursor') ?? 0)
      const to = from + Number(searchParams.get('limit') ?? posts.length)
      const sort = searchParams.get('sort') ?? 'recent'
      const next =
        to < posts.length ? { link: `</api/inventory?sort=${sort}&limit=${to - from}&cursor=${to}>; rel="next"` } : {}
      return answer(Posts, posts.slice(from, to), { 'x-total-count': String(posts.length), ...next })
    }),
  )
  const screen = show(t, <Page />, aCurrentUser({ settings }))
  const shown = () => screen.queryAllByRole('article').length
  return { ...screen, network, asked, shown }
}

t.test('shows seven posts, seven more on Load More, and the end of the feed', async (t) => {
  const { findByText, findByRole, getByRole, getAllByRole, shown } = openFeed(t, feedPosts(16))
  const told = () => getAllByRole('status').map(({ textContent }) => textContent)
  await findByText('Post 3')
  t.equal(shown(), 7)
  t.ok(await findByText('16'), 'the number of results')
  const atFirst = told()
  t.match(atFirst, [/16 results$/])
  fireEvent.click(await findByRole('button', { name: 'Load More' }))
  await becomes(t, shown, 14)
  fireEvent.click(getByRole('button', { name: 'Load More' }))
  await becomes(t, shown, 16)
  t.ok(await findByText("You've reached the end of the feed"))
  t.same(told(), atFirst, 'a screen reader does not announce every page')
})

for (const itemsPerPage of [10, 20, 50, 100])
  t.test(`shows ${itemsPerPage} posts at a time if the dealer chose so`, async (t) => {
    const { findByText, getByRole, shown } = openFeed(t, feedPosts(2 * itemsPerPage + 1), { itemsPerPage })
    await findByText('Post 3')
    t.equal(shown(), itemsPerPage)
    fireEvent.click(getByRole('button', { name: 'Load More' }))
    await becomes(t, shown, 2 * itemsPerPage)
  })

t.test('holds new posts behind the pill while auto-refresh is off', async (t) => {
  const posts = feedPosts(3)
  const { findByText, findByRole, shown, cache } = openFeed(t, posts, { autoRefresh: false })
  await findByText('Post 3')
  Object.defineProperty(document, 'hidden', { value: true, configurable: true })
  t.teardown(() => Reflect.deleteProperty(document, 'hidden'))
  posts.unshift(aFeedPost({ title: 'Brand new', createdAt: '2026-11-21T00:00:00.000Z' }))
  await cache.invalidateQueries({ queryKey: ['/api/inventory', 'head'] })
  t.ok(await findByRole('button', { name: '1 new post' }))
  t.equal(shown(), 3)
})

t.test('shows seven more posts after scrolling past 80% of the list', async (t) => {
  const { findByText, getByRole, shown } = openFeed(t, feedPosts(20))
  await findByText('Post 3')
  const list = getByRole('feed')
  let top = 0
  list.getBoundingClientRect = () => ({ top, height: 4_000 }) as DOMRect
  top = window.innerHeight - 4_000 * 0.79
  fireEvent.scroll(window)
  t.equal(list.getAttribute('aria-busy'), 'false', 'not yet at 79 %')
  top = window.innerHeight - 4_000 * 0.81
  fireEvent.scroll(window)
  await becomes(t, shown, 14)
})

t.test('fetches further posts by the Link header', async (t) => {
  const { findByText, getByRole, shown, asked } = openFeed(t, feedPosts(40))
  await findByText('Post 3')
  for (const count of [14, 21, 28, 35, 40]) {
    await becomes(t, () => getByRole('button', { name: 'Load More' }).hasAttribute('aria-busy'), false)
    fireEvent.click(getByRole('button', { name: 'Load More' }))
    await becomes(t, shown, count)
  }
  t.ok(asked.some((search) => search.includes('cursor=35')))
})

t.test('starts again with seven posts after the sort changes', async (t) => {
  const { findByText, getByRole, shown, asked } = openFeed(t, feedPosts(20))
  await findByText('Post 3')
  fireEvent.click(getByRole('button', { name: 'Load More' }))
  await becomes(t, shown, 14)
  fireEvent.click(getByRole('radio', { name: 'Hottest' }))
  await becomes(t, () => asked.some((search) => search.includes('sort=hottest')), true)
  await becomes(t, shown, 7)
  fireEvent.keyDown(getByRole('radio', { name: 'Hottest', checked: true }), { key: 'ArrowLeft' })
  t.equal(document.activeElement, getByRole('radio', { name: 'Recent', checked: true }))
  fireEvent.keyDown(document.activeElement!, { key: 'ArrowLeft' })
  t.equal(getByRole('radio', { checked: true }), getByRole('radiogroup', { name: 'Sort' }).lastElementChild, 'round')
})

t.test('suggests a next step for an empty feed or search', async (t) => {
  const { findByText, getByRole, getByLabelText } = openFeed(t, [])
  t.ok(await findByText('No dealer posts available'))
  t.ok(await findByText('Connect with dealers to see their posts!'))
  fireEvent.change(getByLabelText('Search this feed'), { target: { value: 'zeppelin' } })
  fireEvent.click(getByRole('button', { name: 'SEARCH' }))
  t.ok(await findByText('No matching dealers found'))
})

t.test('shows why the feed failed to load and loads it on Retry', async (t) => {
  const network = fakeNetwork(t)
  let broken = true
  network.use(
    http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })),
    http.get('*/api/inventory', () => (broken ? refusal(503, 'The database is away') : answer(Posts, feedPosts(2)))),
  )
  const { findByRole, findByText, queryByRole } = show(t, <Page />)
  t.match((await findByRole('alert')).textContent, /The database is away/)
  const page = '<html><body><h1>503 Service Unavailable</h1>No server is available.</body></html>'
  network.use(http.get('*/api/inventory', () => HttpResponse.html(page, { status: 503 }), { once: true }))
  fireEvent.click(await findByRole('button', { name: 'Retry' }))
  t.ok(await findByText('Lanewire is not responding right now. Try again in a moment.'), 'an error page of a balancer')
  broken = false
  fireEvent.click(await findByRole('button', { name: 'Retry' }))
  t.ok(await findByText('Post 1'))
  t.equal(queryByRole('alert'), null)
})

t.test('keeps the shown posts after a failed refresh', async (t) => {
  const { findByText, network, cache, findByRole, getByText } = openFeed(t, feedPosts(3))
  await findByText('Post 3')
  network.use(http.get('*/api/inventory', () => refusal(503, 'The database is away')))
  await cache.invalidateQueries({ queryKey: ['/api/inventory', 'head'] })
  t.match((await findByRole('alert')).textContent, /The database is away/)
  t.ok(getByText('Post 1'))
})

t.test('holds new posts behind the pill until requested', async (t) => {
  const posts = feedPosts(8)
  const known = posts.slice(1)
  const { findByText, network, cache, queryByText, findByRole, getAllByRole } = openFeed(t, known)
  await findByText('Post 2')
  // A reader with the focus in the feed is not idle.
  getAllByRole('article')[0]?.focus()
  network.use(http.get('*/api/inventory', () => answer(Posts, posts, { 'x-total-count': '8' })))
  await cache.invalidateQueries({ queryKey: ['/api/inventory', 'head'] })
  const pill = await findByRole('button', { name: '1 new post' })
  t.equal(queryByText('Post 1'), null)
  fireEvent.click(pill)
  t.ok(await findByText('Post 1'))
})

t.test('announces a new post although a shown post was relisted after it', async (t) => {
  const posts = feedPosts(4)
  const { findByText, network, cache, findByRole, getByText, queryByRole } = openFeed(t, posts.slice(1), {
    autoRefresh: false,
  })
  await findByText('Post 4')
  const relisted = { ...posts[3], version: 2, createdAt: '2026-11-21T00:00:00.000Z' } as Post
  const head = [relisted, ...posts.slice(0, 3)]
  network.use(http.get('*/api/inventory', () => answer(Posts, head, { 'x-total-count': '4' })))
  await cache.invalidateQueries({ queryKey: ['/api/inventory', 'head'] })
  t.ok(await findByRole('button', { name: '1 new post' }))
  for (const isAway of [true, false]) {
    fireEvent.click(getByText('Leave or return'))
    await becomes(t, () => queryByRole('feed') === null, isAway)
  }
  t.ok(await findByRole('button', { name: '1 new post' }), 'also after leaving the feed')
})

t.test(
  'keeps all shown posts when the newest is deleted, and starts again with seven when new posts are shown',
  async (t) => {
    const posts = feedPosts(21)
    const known = posts.slice(1)
    const { findByText, getByRole, findByRole, network, cache, queryByText, shown } = openFeed(t, known, {
      autoRefresh: false,
    })
    await findByText('Post 4')
    fireEvent.click(getByRole('button', { name: 'Load More' }))
    await becomes(t, shown, 14)
    postsLive['post.removed'](cache, { postId: posts[1]?.id ?? '' })
    await becomes(t, () => queryByText('Post 2'), null)
    t.equal(shown(), 14)
    network.use(
      http.get('*/api/inventory', () =>
        answer(Posts, [posts[0], ...posts.slice(2)] as Post[], { 'x-total-count': '20' }),
      ),
    )
    await cache.invalidateQueries({ queryKey: ['/api/inventory', 'head'] })
    fireEvent.click(await findByRole('button', { name: '1 new post' }))
    await findByText('Post 1')
    await becomes(t, shown, 7)
  },
)

t.test('updates figures of shown posts on refresh without adding posts', async (t) => {
  const posts = feedPosts(2)
  const { findByText, network, cache, getAllByText, shown } = openFeed(t, posts)
  await findByText('Post 1')
  const newer = posts.map((post) => ({ ...post, version: 2, viewCount: 77 }))
  network.use(http.get('*/api/inventory', () => answer(Posts, newer, { 'x-total-count': '2' })))
  await cache.invalidateQueries({ queryKey: ['/api/inventory', 'head'] })
  await becomes(t, () => getAllByText('77').length, 2)
  t.equal(shown(), 2)
})

t.test('refreshes open comments if a refresh shows a higher count', async (t) => {
  const [post] = feedPosts(1) as [Post]
  const network = fakeNetwork(t)
  const server = { version: 1, comments: [aComment({ content: 'One key' })] }
  const now = () => ({ ...post, version: server.version, commentCount: server.comments.length })
  network.use(
    http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })),
    http.get('*/api/inventory', () => answer(Posts, [now()], { 'x-total-count': '1' })),
    http.get(`*/api/inventory/${post.id}`, () =>
      answer(PostDetail, aPostDetail({ ...now(), comments: server.comments })),
    ),
  )
  const { findByText, findByRole, cache } = show(
    t,
    <Feed
      filter={{ search: '', sort: 'recent' }}
      onFilter={() => {}}
      renderComments={({ id: postId }, id) => <PostComments postId={postId} id={id} />}
    />,
  )
  fireEvent.click(await findByRole('button', { name: /^Comments/ }))
  await findByText('One key')
  server.comments = [...server.comments, aComment({ content: 'A second key, too' })]
  server.version = 2
  await cache.invalidateQueries({ queryKey: ['/api/inventory', 'head'] })
  await findByRole('button', { name: /Comments \(2\)/ })
  await findByText('A second key, too')
})

t.test('removes a deleted post on refresh but keeps one that only moved down', async (t) => {
  const posts = feedPosts(4)
  const { findByText, network, cache, queryByText, getByText } = openFeed(t, posts)
  await findByText('Post 4')
  const asked: unknown[] = []
  network.use(
    http.get('*/api/inventory', () =>
      answer(Posts, [posts[0], posts[2]] as Post[], {
        'x-total-count': '9',
        link: '</api/inventory?cursor=2>; rel="next"',
      }),
    ),
    http.get('*/api/inventory/:id', ({ params }) => {
      asked.push(params['id'])
      return refusal(404, 'This post was not found')
    }),
  )
  await cache.invalidateQueries({ queryKey: ['/api/inventory', 'head'] })
  await becomes(t, () => queryByText('Post 2'), null)
  t.ok(getByText('Post 4'), 'older than every post of the refresh')
  t.same(asked, [posts[1]?.id])
})

t.test('does not undo changes made while the next page loads', async (t) => {
  const posts = feedPosts(40)
  const { findByText, getByRole, network, cache, queryByText, shown } = openFeed(t, posts)
  await findByText('Post 3')
  let send = () => {}
  const held = new Promise<void>((resolve) => (send = resolve))
  const asked = new Promise<void>((resolve) =>
    network.use(
      http.get('*/api/inventory', async () => {
        resolve()
        await held
        return answer(Posts, posts.slice(35), { 'x-total-count': '40' })
      }),
    ),
  )
  for (const count of [14, 21, 28, 35]) {
    fireEvent.click(getByRole('button', { name: 'Load More' }))
    await becomes(t, shown, count)
  }
  await asked
  postsLive['post.removed'](cache, { postId: posts[1]?.id ?? '' })
  await becomes(t, () => queryByText('Post 2'), null)
  send()
  await findByText('Post 36')
  t.equal(queryByText('Post 2'), null)
})
