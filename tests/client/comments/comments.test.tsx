import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { commentsLive } from '#client/features/comments/comments.live.ts'
import { PostComments } from '#client/features/comments/post-comments.tsx'
import { refreshEdited } from '#client/features/posts/posts.cache.ts'
import { postsLive } from '#client/features/posts/posts.live.ts'
import { SinglePost } from '#client/features/posts/single-post.tsx'
import { OwnReactions, PostDetail } from '#shared/schemas/posts.ts'
import { Comment } from '#shared/schemas/comments.ts'
import { answer, fakeNetwork, http, refusal } from '#tests/support/network.ts'
import { aComment, aCurrentUser, aFeedPost, aPostDetail } from '#tests/support/records.ts'

const pageSize = 50
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `No ${from + index}`)

const numbered = (number: number, about: Partial<Comment> = {}) =>
  aComment({
    content: `No ${number}`,
    createdAt: new Date(Date.parse('2026-11-20T10:00:00.000Z') + number * 1_000).toISOString(),
    ...about,
  })

function held() {
  let release = () => {}
  const wait = new Promise<void>((resolve) => (release = resolve))
  return { wait, release: () => release() }
}

/** Opens a post with `count` comments. The fake server paginates like the real server. */
async function openComments(t: Test, count: number) {
  const post = aFeedPost({ commentCount: count })
  const network = fakeNetwork(t)
  const store = { comments: numbers(1, count).map((_, index) => numbered(index + 1)), version: 1, asked: 0 }
  const pageBefore = (end: number) => {
    const start = Math.max(0, end - pageSize)
    const before = store.comments[start]?.createdAt ?? ''
    const address = start === 0 ? null : `/api/inventory/${post.id}/comments?before=${encodeURIComponent(before)}`
    return { comments: store.comments.slice(start, end), address }
  }
  const detail = () => {
    const { comments, address: earlierComments } = pageBefore(store.comments.length)
    const { version } = store
    return aPostDetail({ ...post, version, commentCount: store.comments.length, comments, earlierComments })
  }
  const earlier = (request: Request) => {
    const before = new URL(request.url).searchParams.get('before') ?? ''
    store.asked += 1
    const { comments, address } = pageBefore(store.comments.filter(({ createdAt }) => createdAt < before).length)
    return answer(Type.Array(Comment), comments, address === null ? {} : { link: `<${address}>; rel="next"` })
  }
  network.use(
    http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })),
    http.get(`*/api/inventory/${post.id}`, () => answer(PostDetail, detail())),
    http.get(`*/api/inventory/${post.id}/comments`, ({ request }) => earlier(request)),
  )
  const screen = show(
    t,
    <SinglePost postId={post.id} renderComments={({ id: postId }, id) => <PostComments postId={postId} id={id} />} />,
  )
  const section = within(await screen.findByRole('region', { name: 'Comments' }))
  const texts = () => section.queryAllByText(/^No \d+$/).map(({ textContent }) => textContent)
  await becomes(t, texts, numbers(Math.max(1, count - pageSize + 1), count))
  const openEarlier = () => fireEvent.click(section.getByRole('button', { name: 'Show earlier comments' }))
  return { ...screen, post, network, store, section, texts, openEarlier, earlier }
}

t.test('loads each earlier page of comments once and shows when there are no more', async (t) => {
  const { network, post, earlier, section, texts, openEarlier, getByRole } = await openComments(t, 120)
  const { wait, release } = held()
  network.use(http.get(`*/api/inventory/${post.id}/comments`, async ({ request }) => wait.then(() => earlier(request))))
  t.equal(section.queryByText('No earlier comments'), null)
  const button = section.getByRole('button', { name: 'Show earlier comments' })
  button.focus()
  openEarlier()
  t.equal((await section.findByRole('button', { name: 'Loading earlier comments' })).getAttribute('aria-busy'), 'true')
  release()
  await becomes(t, texts, numbers(21, 120))
  t.ok(await section.findByText('Earlier comments are shown'))
  t.equal(document.activeElement, button, 'the focus stays')
  openEarlier()
  await becomes(t, texts, numbers(1, 120))
  t.ok(await section.findByText('No earlier comments'))
  t.equal(section.queryByRole('button', { name: /earlier comments/ }), null)
  await becomes(t, () => document.activeElement?.textContent?.includes('No 21'), true)
  t.ok(getByRole('button', { name: 'Comments (120)' }))
})

t.test('offers no earlier page for few comments', async (t) => {
  const { section } = await openComments(t, pageSize)
  t.equal(section.queryByText(/earlier comments/i), null)
})

t.test('shows an error for earlier comments that fail to load, with Retry', async (t) => {
  const { network, section, texts, openEarlier, post, earlier } = await openComments(t, 60)
  const path = `*/api/inventory/${post.id}/comments`
  network.use(http.get(path, () => refusal(503, 'The database is away')))
  section.getByRole('button', { name: 'Show earlier comments' }).focus()
  openEarlier()
  t.match((await section.findByRole('alert')).textContent, /Earlier comments could not be loaded.*The database is away/)
  t.same(texts(), numbers(11, 60), 'loaded comments stay')
  t.equal(document.activeElement?.textContent, 'Show earlier comments')
  network.use(http.get(path, ({ request }) => earlier(request)))
  const retry = section.getByRole('button', { name: 'Retry' })
  retry.focus()
  fireEvent.click(retry)
  t.equal(document.activeElement, retry)
  await becomes(t, texts, numbers(1, 60))
  t.equal(section.queryByRole('alert'), null)
  await becomes(t, () => document.activeElement?.textContent?.includes('No 11'), true)
})

t.test('inserts live comments in order, with or without earlier pages loaded', async (t) => {
  const { cache, post, store, texts, openEarlier, getByRole, section } = await openComments(t, 80)
  const attachment = { name: 'dent.jpg', state: 'processing', isPicture: true } as const
  const hear = (comment: Comment, commentCount: number) => {
    commentsLive['post.comment'](cache, { postId: post.id, comment, commentCount })
    commentsLive['post.comment'](cache, { postId: post.id, comment, commentCount })
  }
  const [late, last] = [numbered(82), numbered(83)]
  hear(last, 81)
  hear(late, 82)
  const ofUnopened = { ...store.comments[4], attachmentUrl: '/api/objects/1', attachment } as Comment
  hear(ofUnopened, 82)
  await becomes(t, texts, [...numbers(31, 80), 'No 82', 'No 83'])
  t.ok(getByRole('button', { name: 'Comments (82)' }))

  store.comments[4] = ofUnopened
  store.comments.push(late, last)
  openEarlier()
  await becomes(t, texts, [...numbers(1, 80), 'No 82', 'No 83'])
  t.ok(section.getByText('Processing dent.jpg'))
  hear({ ...ofUnopened, attachment: { ...attachment, state: 'failed' } }, 82)
  hear(numbered(84), 83)
  await becomes(t, texts, [...numbers(1, 80), 'No 82', 'No 83', 'No 84'])
  t.equal(section.queryByText('Processing dent.jpg'), null)
  t.ok(section.getByText('could not be processed'))
})

t.test("keeps the server's order of comments from the same millisecond", async (t) => {
  const { cache, post, texts } = await openComments(t, 1)
  const id = (last: number) => `01a216bc-26fc-74b0-9d1d-${String(last).padStart(12, '0')}`
  for (const number of [3, 5, 2, 4]) {
    const comment = numbered(2, { id: id(number), content: `No ${number}` })
    commentsLive['post.comment'](cache, { postId: post.id, comment, commentCount: number })
  }
  await becomes(t, texts, numbers(1, 5))
})

t.test('keeps the loaded range on refresh and removes deleted comments', async (t) => {
  const { cache, post, store, texts, openEarlier, getByRole } = await openComments(t, 200)
  openEarlier()
  await becomes(t, texts, numbers(101, 200))
  store.comments.push(numbered(201), numbered(202))
  store.version += 1
  await refreshEdited(cache, post.id)
  await becomes(t, texts, numbers(101, 202))
  // A moderator hides a comment on the earlier page, and then the oldest loaded comment.
  for (const gone of [120, 101]) {
    store.comments = store.comments.filter(({ content }) => content !== `No ${gone}`)
    store.version += 1
    await refreshEdited(cache, post.id)
  }
  const open = numbers(102, 202).filter((text) => text !== 'No 120')
  await becomes(t, texts, open)
  t.ok(getByRole('button', { name: 'Comments (200)' }))
  openEarlier()
  await becomes(t, texts, [...numbers(51, 100), ...open])
})

t.test('reloads a page that was read before its post changed', async (t) => {
  const { cache, network, post, store, texts, openEarlier, earlier } = await openComments(t, 70)
  let changes = 1
  network.use(
    http.get(`*/api/inventory/${post.id}/comments`, ({ request }) => {
      const before = earlier(request)
      if (changes > 0) {
        changes -= 1
        store.comments.shift()
        store.version += 1
        postsLive['post.changed'](cache, { ...post, postId: post.id, version: store.version, commentCount: 69 })
      }
      return before
    }),
  )
  openEarlier()
  await becomes(t, texts, numbers(2, 70))
})

t.test('keeps an earlier page that arrives during a refresh', async (t) => {
  const { cache, network, post, store, texts, openEarlier } = await openComments(t, 120)
  const { wait, release } = held()
  network.use(http.get(`*/api/inventory/${post.id}`, () => wait))
  store.comments.push(numbered(121))
  const refreshed = refreshEdited(cache, post.id)
  openEarlier()
  await becomes(t, texts, numbers(21, 120))
  release()
  await refreshed
  await becomes(t, texts, numbers(21, 121))
})

t.test('starts again at the newest page after a very large gap', async (t) => {
  const { cache, post, store, texts } = await openComments(t, 60)
  store.comments.push(...numbers(61, 900).map((_, index) => numbered(61 + index)))
  store.version += 1
  await refreshEdited(cache, post.id)
  await becomes(t, texts, numbers(851, 900))
  t.ok(store.asked < 10, 'it does not read all of them aloud')
})

t.test('returns the focus to the pencil after a comment is edited', async (t) => {
  const me = aCurrentUser()
  const { id: postId } = aFeedPost()
  const own = aComment({ content: 'Mine', dealer: me, createdAt: new Date().toISOString() })
  fakeNetwork(t).use(
    http.get(`*/api/inventory/${postId}`, () => answer(PostDetail, aPostDetail({ id: postId, comments: [own] }))),
  )
  const { findByRole, findByDisplayValue, getByRole } = show(t, <PostComments postId={postId} id="comments" />, me)
  const pencil = await findByRole('button', { name: 'Edit comment' })
  pencil.focus()
  fireEvent.click(pencil)
  const box = await findByDisplayValue('Mine')
  await becomes(t, () => document.activeElement === box, true)
  fireEvent.click(getByRole('button', { name: 'Cancel' }))
  await becomes(t, () => document.activeElement === pencil, true)
})

t.test('allows typing the next comment right after one was posted by keyboard', async (t) => {
  const { id: postId } = aFeedPost()
  const { wait, release } = held()
  const network = fakeNetwork(t)
  network.use(
    http.get(`*/api/inventory/${postId}`, () => answer(PostDetail, aPostDetail({ id: postId }))),
    http.post(`*/api/inventory/${postId}/comments`, async () => {
      await wait
      return answer(Comment, aComment({ content: 'Still there?' }))
    }),
  )
  show(t, <PostComments postId={postId} id="comments" />)
  const field = screen.getByLabelText<HTMLInputElement>('Add a comment')
  fireEvent.change(field, { target: { value: 'Still there?' } })
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'POST' })
  button.focus()
  fireEvent.click(button)
  await becomes(t, () => button.getAttribute('aria-busy'), 'true')
  t.notOk(button.disabled, 'while it is sent it is busy, and keeps a focus that comes back')
  release()
  await becomes(t, () => field.value, '')
  await becomes(t, () => document.activeElement === field, true)
})

t.test('keeps a file chosen for the next comment while one is being posted', async (t) => {
  const { id: postId } = aFeedPost()
  const { wait, release } = held()
  fakeNetwork(t).use(
    http.get(`*/api/inventory/${postId}`, () => answer(PostDetail, aPostDetail({ id: postId }))),
    http.post(`*/api/inventory/${postId}/comments`, async () => {
      await wait
      return answer(Comment, aComment({ content: 'Still there?' }))
    }),
  )
  show(t, <PostComments postId={postId} id="comments" />)
  fireEvent.change(screen.getByLabelText('Add a comment'), { target: { value: 'Still there?' } })
  fireEvent.click(screen.getByRole('button', { name: 'POST' }))
  const file = new File(['bytes'], 'dent.jpg', { type: 'image/jpeg' })
  fireEvent.change(screen.getByLabelText('Attachment'), { target: { files: [file] } })
  release()
  await screen.findByText('Comment added successfully')
  t.ok(screen.queryByText('dent.jpg'))
})
