import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, waitFor } from '@testing-library/react'
import t, { type Test } from 'tap'
import { commentsLive } from '#client/features/comments/comments.live.ts'
import { PostComments } from '#client/features/comments/post-comments.tsx'
import { PostCard } from '#client/features/posts/card/post-card.tsx'
import { postsLive } from '#client/features/posts/posts.live.ts'
import { commentDraftKey, draftsStore, forgetTypedText, saveDraft, startDrafts } from '#client/lib/storage/drafts.ts'
import { postKey } from '#client/lib/query/query-keys.ts'
import { OwnReactions, type Post, PostDetail } from '#shared/schemas/posts.ts'
import { Comment, NewComment } from '#shared/schemas/comments.ts'
import { answer, fakeNetwork, http, HttpResponse, refusal, sent } from '#tests/support/network.ts'
import { aComment, aCurrentUser, aDealer, aFeedPost, aPostDetail, aShownVehicle } from '#tests/support/records.ts'

const commentsOf = (post: Post, id: string) => <PostComments postId={post.id} id={id} />

function openCard(t: Test, post: Post = aFeedPost(), me = aCurrentUser()) {
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })),
    http.get(`*/api/inventory/${post.id}`, () => answer(PostDetail, aPostDetail({ id: post.id }))),
  )
  const onDealerProfile = t.captureFn(() => undefined)
  return {
    ...show(t, <PostCard post={post} onDealerProfile={onDealerProfile} renderComments={commentsOf} />, me),
    network,
    onDealerProfile,
  }
}

/** Waits for a button to be enabled, because it is disabled until the dealer's own reactions have loaded. */
async function readyButton(find: (role: 'button', options: { name: string }) => Promise<HTMLElement>, name: string) {
  const button = await find('button', { name })
  await waitFor(() => {
    if (button.hasAttribute('disabled')) throw new Error(`${name} is not ready`)
  })
  return button
}

t.test('shows a like at once, announces it, and saves it', async (t) => {
  const { network, findByRole, findByText } = openCard(t)
  const methods: string[] = []
  network.use(
    http.all('*/api/inventory/:id/reactions/like', ({ request }) => {
      methods.push(request.method)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  fireEvent.click(await readyButton(findByRole, 'Like'))
  t.ok(await findByText('Post liked!'))
  const pressed = await findByRole('button', { name: 'Remove like', pressed: true })
  fireEvent.click(pressed)
  t.ok(await findByText('Like removed'))
  t.ok(await findByRole('button', { name: 'Like', pressed: false }))
  await becomes(t, () => methods, ['PUT', 'DELETE'])
})

t.test('undoes a refused question and shows the reason', async (t) => {
  const { network, findByRole, findByText } = openCard(t)
  network.use(http.put('*/api/inventory/:id/reactions/info', () => refusal(503, 'The database is away')))
  fireEvent.click(await readyButton(findByRole, 'Need more info'))
  t.ok(await findByText('The database is away'))
  t.ok(await findByRole('button', { name: 'Need more info', pressed: false }))
})

t.test('shows an unknown status in upper case', (t) => {
  const post = { ...aFeedPost(), status: 'on hold' } as unknown as Post
  const { getByText } = openCard(t, post)
  t.ok(getByText('ON HOLD'))
  t.end()
})

t.test('keeps the auction on a compact card and counts bids only for auctions', (t) => {
  fakeNetwork(t).use(http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })))
  const live = aFeedPost({ title: 'Live auction', hasAuction: true })
  const cards = show(t, [
    <PostCard key="live" post={live} compact renderAuction={() => 'the auction'} />,
    <PostCard key="word" post={aFeedPost({ title: 'Auction talk' })} compact renderAuction={() => 'a word'} />,
    <PostCard key="none" post={aFeedPost({ title: 'A sedan' })} compact renderAuction={() => 'no auction'} />,
  ])
  t.equal(cards.queryAllByText('the auction').length, 1)
  t.same([cards.queryByText('no auction'), cards.queryAllByText('auction').length], [null, 1])
  t.end()
})

t.test('uses the singular for one', (t) => {
  for (const [count, ...words] of [
    [1, '1 connection', '1 view'],
    [2, '2 connections', '2 views'],
  ] as const) {
    const counted = { dealer: { ...aDealer(), connectionCount: count }, viewCount: count, vehicleCount: 1 }
    const { getAllByRole, unmount } = openCard(t, aFeedPost(counted))
    const shown = new Set(getAllByRole('listitem').map(({ textContent }) => textContent))
    t.ok(words.every((word) => shown.has(word)))
    unmount()
  }
  t.end()
})

t.test("shows the offer button beside a single vehicle's price, on other dealers' posts only", (t) => {
  fakeNetwork(t).use(http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })))
  const dealer = aDealer()
  const one = { vehicleCount: 1, vehicles: [aShownVehicle()] }
  const card = (about: Partial<Post>) => (
    <PostCard post={aFeedPost(about)} renderOffer={({ title }) => title + ' offer'} />
  )
  const { queryByText } = show(
    t,
    <>
      {card({ title: 'Other', ...one })}
      {card({ title: 'Own', dealer, ...one })}
      {card({ title: 'Six', vehicleCount: 6, vehicles: [aShownVehicle()] })}
    </>,
    aCurrentUser({ id: dealer.id }),
  )
  t.same(
    ['Other', 'Own', 'Six'].map((title) => queryByText(`${title} offer`) !== null),
    [true, false, false],
  )
  t.end()
})
t.test('shows LIVE if title or description mentions an auction, in any case', (t) => {
  const cases: [Partial<Post>, number][] = [
    [{ title: 'Fleet AUCTION on Friday' }, 1],
    [{ description: 'Goes to live auction tonight' }, 1],
    [{ title: 'Clean trade', description: 'Priced to move' }, 0],
  ]
  for (const [about, count] of cases) {
    const { queryAllByText, unmount } = openCard(t, aFeedPost(about))
    t.equal(queryAllByText('LIVE').length, count)
    unmount()
  }
  t.end()
})

t.test('shows the AI summary as bullets, raw text, or a note that there is none', (t) => {
  const cases: [string, string[]][] = [
    [JSON.stringify([{ text: 'One owner' }, { text: '48,210 mi' }]), ['One owner', '48,210 mi']],
    ['One owner, clean', ['One owner, clean']],
    ['[]', ['No vehicle data available']],
  ]
  for (const [aiSummary, texts] of cases) {
    const { getByText, unmount } = openCard(t, aFeedPost({ aiSummary }))
    for (const text of texts) t.ok(getByText(text))
    unmount()
  }
  t.end()
})

t.test('shows markup in a post as text', (t) => {
  const { getByText, container } = openCard(t, aFeedPost({ title: '<img src=x onerror=alert(1)>' }))
  t.ok(getByText('<img src=x onerror=alert(1)>'))
  t.equal(container.querySelector('img'), null)
  t.end()
})

t.test("opens the seller's profile from other dealers' posts only", (t) => {
  const dealer = aDealer()
  const { getByRole, onDealerProfile, unmount } = openCard(t, aFeedPost({ dealer }))
  fireEvent.click(getByRole('button', { name: /View Dealer Profile/ }))
  t.same(onDealerProfile.args(), [[dealer]])
  unmount()
  const own = openCard(t, aFeedPost({ dealer }), aCurrentUser({ id: dealer.id }))
  t.equal(own.queryByRole('button', { name: /View Dealer Profile/ }), null)
  t.end()
})

t.test('opens the post on a click on the card but not on a control', (t) => {
  const post = aFeedPost()
  const { getByText, getByRole, history } = openCard(t, post)
  fireEvent.click(getByRole('button', { name: /Comments/ }))
  t.same(history, ['/'])
  fireEvent.click(getByText(post.description))
  t.same(history, ['/', `/post/${post.id}`])
  t.end()
})

t.test('sends a trimmed comment, empties the box and reloads the post', async (t) => {
  const post = aFeedPost()
  const { network, getByRole, findByText, getByLabelText } = openCard(t, post)
  const comments: Comment[] = []
  network.use(
    http.get(`*/api/inventory/${post.id}`, () => answer(PostDetail, aPostDetail({ id: post.id, comments }))),
    http.post('*/api/inventory/:id/comments', async ({ request }) => {
      const { content } = (await request.json()) as { content: string }
      const comment = aComment({ content })
      comments.push(comment)
      return answer(Comment, comment)
    }),
  )
  fireEvent.click(getByRole('button', { name: /Comments/ }))
  t.ok(await findByText('No comments yet. Be the first to comment!'))
  const box = getByLabelText('Add a comment')
  t.ok(getByRole('button', { name: 'POST' }).hasAttribute('disabled'), 'nothing to send yet')
  fireEvent.change(box, { target: { value: '  Still there?  ' } })
  fireEvent.click(getByRole('button', { name: 'POST' }))
  t.ok(await findByText('Comment added successfully'))
  t.ok(await findByText('Still there?'))
  t.equal(box.getAttribute('value'), '')
})

t.test('keeps a refused comment in the box', async (t) => {
  const { network, getByRole, findByText, getByLabelText } = openCard(t)
  network.use(http.post('*/api/inventory/:id/comments', () => refusal(503, 'The database is away')))
  fireEvent.click(getByRole('button', { name: /Comments/ }))
  fireEvent.change(getByLabelText('Add a comment'), { target: { value: 'Still there?' } })
  fireEvent.click(getByRole('button', { name: 'POST' }))
  t.ok(await findByText('The database is away'))
  t.equal(getByLabelText('Add a comment').getAttribute('value'), 'Still there?')
})

t.test('resends a comment without a response under the same key, even from a reopened form', async (t) => {
  const post = aFeedPost()
  const me = aCurrentUser()
  t.teardown(startDrafts(me.id))
  t.teardown(() => localStorage.clear())
  const byKey = new Map<string | null, Comment>()
  const { network, getByRole, findByText, getByLabelText, getAllByText } = openCard(t, post, me)
  let isLost = true
  network.use(
    http.get(`*/api/inventory/${post.id}`, () =>
      answer(PostDetail, aPostDetail({ id: post.id, comments: [...byKey.values()] })),
    ),
    http.post('*/api/inventory/:id/comments', async ({ request }) => {
      const { content } = await sent(NewComment, request)
      const key = request.headers.get('idempotency-key')
      const comment = byKey.get(key) ?? aComment({ content })
      byKey.set(key, comment)
      return isLost ? HttpResponse.error() : answer(Comment, comment)
    }),
  )
  const comments = () => fireEvent.click(getByRole('button', { name: /Comments/ }))
  const write = (text: string) => fireEvent.change(getByLabelText('Add a comment'), { target: { value: text } })
  const press = () => fireEvent.click(getByRole('button', { name: 'POST' }))
  comments()
  await findByText('No comments yet. Be the first to comment!')
  write('Both keys?')
  press()
  await findByText('Comment not posted')
  comments()
  comments()
  isLost = false
  press()
  await findByText('Comment added successfully')
  await findByText('Both keys?')
  t.equal(byKey.size, 1)
  t.notOk(byKey.has(null), 'it had a key')
  await becomes(t, () => getByLabelText('Add a comment').getAttribute('value'), '')
  write('Both keys?')
  press()
  await becomes(t, () => getAllByText('Both keys?').length, 2)
  t.equal(byKey.size, 2, 'the same words later are another comment')
})

t.test('restores an unfinished comment after closing, only there, until it is sent', async (t) => {
  const [post, other] = [aFeedPost(), aFeedPost()]
  const me = aCurrentUser()
  t.teardown(() => localStorage.clear())
  t.teardown(startDrafts(me.id))
  const open = (about: Post) => {
    const card = openCard(t, about, me)
    const toggle = () => fireEvent.click(card.getByRole('button', { name: /Comments/ }))
    toggle()
    const box = () => card.getByLabelText('Add a comment')
    return { ...card, toggle, box, says: () => box().getAttribute('value') }
  }
  const first = open(post)
  fireEvent.change(first.box(), { target: { value: 'Still th' } })
  first.toggle()
  t.equal(first.queryByLabelText('Add a comment'), null, 'closed')
  first.toggle()
  t.equal(first.says(), 'Still th')
  first.unmount()
  const elsewhere = open(other)
  t.equal(elsewhere.says(), '')
  elsewhere.unmount()

  draftsStore.reset()
  t.teardown(startDrafts('somebody else'))
  const theirs = open(post)
  t.equal(theirs.says(), '', 'another dealer of this browser')
  theirs.unmount()
  t.teardown(startDrafts(me.id))
  const again = open(post)
  t.equal(again.says(), 'Still th', 'after a reload')
  again.network.use(http.post('*/api/inventory/:id/comments', () => answer(Comment, aComment())))
  fireEvent.change(again.box(), { target: { value: 'Still there? ' } })
  fireEvent.click(again.getByRole('button', { name: 'POST' }))
  // The response arrives after the dealer has closed the comments.
  again.toggle()
  await becomes(t, () => Object.keys({ ...localStorage }), [])
  again.toggle()
  t.equal(again.says(), '')
})

t.test('keeps unfinished comments of the most recent posts', (t) => {
  t.teardown(startDrafts('a dealer'))
  t.teardown(() => localStorage.clear())
  const names = Array.from({ length: 52 }, (_, index) => commentDraftKey(String(index).padStart(3, '0')))
  saveDraft('a chat', 'Hello')
  for (const name of names) saveDraft(name, 'Half a')
  t.same(Object.keys(draftsStore.get().texts).toSorted(), ['a chat', ...names.slice(2)])
  forgetTypedText()
  t.same(Object.keys({ ...localStorage }), ['lanewire.draft.a dealer.a chat'], 'after signing out')
  t.end()
})

t.test("shows another dealer's live comment once, however often the event arrives", async (t) => {
  const post = aFeedPost()
  const { cache, getByRole, findByText, getAllByText } = openCard(t, post)
  fireEvent.click(getByRole('button', { name: /Comments/ }))
  await findByText('No comments yet. Be the first to comment!')
  const event = { postId: post.id, comment: aComment({ content: 'I take it' }), commentCount: 1 }
  commentsLive['post.comment'](cache, event)
  commentsLive['post.comment'](cache, event)
  t.ok(await findByText('I take it'))
  t.equal(getAllByText('I take it').length, 1)
})

t.test('does not undo an event with an older response', async (t) => {
  const post = aFeedPost()
  const { cache, network, getByRole, findByText } = openCard(t, post)
  fireEvent.click(getByRole('button', { name: /Comments/ }))
  await findByText('No comments yet. Be the first to comment!')
  const comment = aComment({ content: 'I take it' })
  const before = aPostDetail({ ...post, comments: [] })
  const after = { ...before, version: before.version + 1, commentCount: 1, comments: [comment] }
  const answers = [before, after]
  network.use(
    http.get(`*/api/inventory/${post.id}`, () => {
      postsLive['post.changed'](cache, { ...after, postId: post.id })
      commentsLive['post.comment'](cache, { postId: post.id, comment, commentCount: 1 })
      return answer(PostDetail, answers.shift() ?? after)
    }),
  )
  await cache.invalidateQueries({ queryKey: postKey(post.id) })
  t.equal(answers.length, 0, 'it was fetched again')
  t.ok(await findByText('I take it'))
})

t.test('shows a processing, then failed attachment that only its author may remove', async (t) => {
  const post = aFeedPost()
  const me = aCurrentUser()
  const { cache, getByRole, findByText, findByRole, queryByText, queryByRole } = openCard(t, post, me)
  fireEvent.click(getByRole('button', { name: /Comments/ }))
  await findByText('No comments yet. Be the first to comment!')
  const says = (state: 'processing' | 'ready' | 'failed', about: Partial<Comment>, name: string) =>
    commentsLive['post.comment'](cache, {
      postId: post.id,
      comment: aComment({ ...about, attachmentUrl: '/api/objects/1', attachment: { name, state, isPicture: true } }),
      commentCount: 2,
    })
  const [mine, theirs] = [{ id: '1', dealer: me }, { id: '2' }]
  says('processing', mine, 'dent.jpg')
  t.ok(await findByText('Processing dent.jpg'))
  says('failed', mine, 'dent.jpg')
  says('processing', mine, 'dent.jpg')
  t.ok(await findByText('could not be processed'))
  t.equal(queryByText('Processing dent.jpg'), null, 'a late event changes nothing')
  t.ok(getByRole('button', { name: 'Remove dent.jpg' }))
  says('failed', theirs, 'roof.jpg')
  t.ok(await findByText('roof.jpg'))
  t.equal(queryByRole('button', { name: 'Remove roof.jpg' }), null)
  says('ready', { id: '3' }, 'door.jpg')
  t.ok(await findByRole('img', { name: 'door.jpg' }))
})

t.test('survives an attachment URL that cannot be decoded', async (t) => {
  const post = aFeedPost()
  const { cache, getByRole, findByText } = openCard(t, post)
  fireEvent.click(getByRole('button', { name: /Comments/ }))
  await findByText('No comments yet. Be the first to comment!')
  const attachment = { name: null, state: 'ready', isPicture: false } as const
  for (const [id, file] of [
    ['1', 'title%20copy.pdf'],
    ['2', 'report%E0%A4%A.pdf'],
  ] as const)
    commentsLive['post.comment'](cache, {
      postId: post.id,
      comment: aComment({ id, attachmentUrl: `https://files.example/${file}`, attachment }),
      commentCount: 2,
    })
  t.ok(await findByText('title copy.pdf'))
  t.ok(await findByText('report%E0%A4%A.pdf'))
})

t.test('shows an error with Retry for comments that failed to load', async (t) => {
  const post = aFeedPost()
  const { network, getByRole, findByRole, findByText } = openCard(t, post)
  network.use(http.get(`*/api/inventory/${post.id}`, () => refusal(503, 'The database is away')))
  fireEvent.click(getByRole('button', { name: /Comments/ }))
  t.match((await findByRole('alert')).textContent, /The database is away/)
  network.use(
    http.get(`*/api/inventory/${post.id}`, () =>
      answer(PostDetail, aPostDetail({ id: post.id, comments: [aComment({ content: 'Back again' })] })),
    ),
  )
  fireEvent.click(getByRole('button', { name: 'Retry' }))
  t.ok(await findByText('Back again'))
})
