import t from 'tap'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { LaneAll } from '#shared/schemas/lane.ts'
import type { MessagesPage } from '#shared/schemas/messaging.ts'
import type { CasesPage, ModerationCase } from '#shared/schemas/moderation.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { Post, PostDetail } from '#shared/schemas/posts.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { flagsOf, compareBidders } from '#server/features/auctions/shared-accounts/shared-accounts.service.ts'
import { aBidder, bid, close, publishAuction } from '#tests/support/bidding.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { publish } from '#tests/support/factories.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const someId = '01990000-0000-7000-8000-000000000000'
const why = 'The odometer reading is false'

const report = (by: Caller, kind: string, subjectId: string, about = {}) =>
  by.post('/api/reports', { kind, subjectId, reason: 'misleading', details: 'Seen at auction', ...about })
const decide = (by: Caller, kind: string, id: string, act: string, about = {}) =>
  by.post<ModerationCase>(`/api/admin/moderation/${kind}/${id}`, { act, reason: why, ...about })
const noticesOf = async (dealer: Caller) =>
  (await dealer.get<NotificationsPage>('/api/notifications')).body.items.filter(({ kind }) => kind === 'moderation')
const comment = async (by: Caller, post: string, content: string) =>
  (await by.post<{ id: string }>(`/api/inventory/${post}/comments`, { content })).body.id

t.test('accepts one report at a time of visible content by others', async (t) => {
  const { visitor, signIn } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  const [seller, buyer, stranger] = [await signIn('Seller'), await signIn('Buyer'), await signIn('Stranger')]
  const post = await publish(seller)
  const chat = await openChat(seller, buyer)
  const message = (await say(seller, chat, 'Wire me the money first')).body.id
  t.equal((await report(visitor, 'post', post)).status, 401)
  t.equal((await report(buyer, 'post', post)).status, 201)
  t.equal((await report(buyer, 'post', post)).status, 409, 'their last report is open')
  t.equal((await report(stranger, 'post', post)).status, 201)
  t.equal((await report(seller, 'post', post)).status, 400, 'their own post')
  t.equal((await report(seller, 'dealer', seller.id)).status, 400, 'themselves')
  t.equal((await report(stranger, 'message', message)).status, 404, 'a chat of others')
  t.equal((await report(seller, 'message', message)).status, 400, 'their own message')
  t.equal((await report(buyer, 'message', message)).status, 201)
  t.equal((await report(buyer, 'post', someId)).status, 404)
  t.equal((await report(buyer, 'post', post, { reason: 'boredom' })).status, 400)
  const { body } = await admin.get<CasesPage>('/api/admin/moderation')
  t.same(body.counts, { open: 2, decided: 0 })
  t.match(body.cases, [
    { kind: 'message', subjectId: message, context: [{ text: 'Wire me the money first', isSubject: true }] },
    { kind: 'post', subjectId: post, author: { id: seller.id }, reports: [{ details: 'Seen at auction' }, {}] },
  ])
  for (const by of [seller, await signIn('Operations', { role: 'ops' })]) {
    t.equal((await by.get('/api/admin/moderation')).status, 403)
    t.equal((await decide(by, 'post', post, 'hide')).status, 403)
  }
  t.equal((await decide(admin, 'post', someId, 'hide')).status, 404, 'nobody has reported it')
  t.equal((await decide(admin, 'post', post, 'hide', { reason: '' })).status, 400, 'the author reads why')
  t.equal((await decide(admin, 'dealer', seller.id, 'hide')).status, 404)
})

t.test('removes a hidden post from screens, feed and search for all but its seller until restored', async (t) => {
  const { signIn } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  const [seller, reader] = [await signIn('Seller'), await signIn('Reader')]
  const post = await publish(seller, { title: 'Live auction of a Zonda', description: 'One owner', auction: {} })
  const tab = await reader.live()
  await tab.view({ kind: 'feed', id: '', on: true })
  await report(reader, 'post', post)
  t.equal((await decide(admin, 'post', post, 'hide')).status, 200)
  t.same(await tab.nextEvent('post.removed'), { postId: post })
  t.equal((await reader.get(`/api/inventory/${post}`)).status, 404)
  t.same((await reader.get<Post[]>('/api/inventory')).body, [])
  t.same((await reader.get<Post[]>('/api/inventory?search=zonda')).body, [])
  t.equal((await reader.put(`/api/inventory/${post}/reactions/like`)).status, 404)
  t.equal((await reader.get<Auction>(`/api/inventory/${post}/auction`)).status, 404)
  t.match((await seller.get<PostDetail>(`/api/inventory/${post}`)).body, { id: post, hidden: true })
  t.equal(
    (await seller.patch(`/api/inventory/${post}/auction`, { startAmount: 900 })).status,
    404,
    'and cannot be restarted',
  )
  t.match(await noticesOf(seller), [{ title: /Your post .* was hidden/, body: why, path: `/post/${post}` }])
  t.equal((await decide(admin, 'post', post, 'hide')).status, 409, 'not twice')
  t.match((await decide(admin, 'post', post, 'restore')).body, {
    state: 'decided',
    hidden: false,
    decisions: [{ act: 'restore' }, { act: 'hide', reason: why }],
  })
  const { body } = await reader.get<PostDetail>(`/api/inventory/${post}`)
  t.equal(body.hidden, undefined)
  t.match((await reader.get<Auction>(`/api/inventory/${post}/auction`)).body, { status: 'no_sale' }, 'it was ended')
  t.match(await noticesOf(seller), [{ title: /visible again/ }, {}])
  const audit = await admin.get<AuditPage>('/api/admin/audit?action=report')
  t.match(audit.body.entries, [
    { action: 'report.restore', subjectId: post, before: { hidden: true } },
    { action: 'report.hide', subjectId: post, reason: why, after: { hidden: true } },
  ])
})

t.test('hides and does not count a hidden comment, except for its author', async (t) => {
  const { signIn } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  const [seller, author] = [await signIn('Seller'), await signIn('Author')]
  const post = await publish(seller)
  const id = await comment(author, post, 'Call 555-0100, better prices')
  await comment(seller, post, 'Please do not')
  const tab = await seller.live()
  await tab.view({ kind: 'post', id: post, on: true })
  await report(seller, 'comment', id, { reason: 'spam' })
  t.equal((await decide(admin, 'comment', id, 'hide')).status, 200)
  t.match(await tab.nextEvent('post.changed', ({ commentCount }) => commentCount === 1), { postId: post })
  await tab.nextEvent('post.edited')
  const read = async (by: Caller) => (await by.get<PostDetail>(`/api/inventory/${post}`)).body
  t.match((await read(seller)).comments, [{ content: 'Please do not' }])
  t.match((await read(author)).comments, [{ id, hidden: true }, { content: 'Please do not' }])
  t.match(await noticesOf(author), [{ title: /Your comment on .* was hidden/, path: `/post/${post}` }])
  t.equal((await decide(admin, 'comment', id, 'restore')).status, 200)
  t.equal((await read(seller)).commentCount, 2)
})

t.test("keeps a hidden message's position and blanks it for both, also after an absence", async (t) => {
  const { signIn } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  const [author, reader] = [await signIn('Author'), await signIn('Reader')]
  const chat = await openChat(author, reader)
  const { id } = (await say(author, chat, 'Insulting words')).body
  await say(author, chat, 'And a harmless line')
  const tab = await reader.live()
  await report(reader, 'message', id, { reason: 'abuse' })
  t.equal((await decide(admin, 'message', id, 'hide')).status, 200)
  const removed = { id, seq: 1, rev: 3, content: '', hidden: true }
  t.match(await tab.nextEvent('chat.message'), { chatId: chat, rev: 3, seq: 1, message: removed })
  const missed = await author.get<MessagesPage>(`/api/chats/${chat}/messages?afterRev=2`)
  t.match(missed.body, { rev: 3, lastSeq: 2, messages: [removed] })
  t.same((await reader.get('/api/chats/search?q=insulting')).body, [])
  t.match(await noticesOf(author), [{ title: /Your message was hidden/ }])
  await decide(admin, 'message', id, 'restore')
  t.match(await tab.nextEvent('chat.message'), { rev: 4, seq: 1, message: { content: 'Insulting words' } })
})

t.test('shows a warning to the dealer, ends sessions on suspension, and keeps a dismissal silent', async (t) => {
  const { signIn } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  const [dealer, reader] = [await signIn('Dealer'), await signIn('Reader')]
  await report(reader, 'dealer', dealer.id, { reason: 'fraud' })
  t.match((await decide(admin, 'dealer', dealer.id, 'hide')).status, 400)
  t.match((await decide(admin, 'dealer', dealer.id, 'dismiss', { reason: undefined })).body, { state: 'decided' })
  t.equal((await decide(admin, 'dealer', dealer.id, 'dismiss')).status, 409, 'nothing is open')
  t.same(await noticesOf(dealer), [])
  t.equal((await report(reader, 'dealer', dealer.id)).status, 201, 'after a decision it can be reported again')
  t.equal((await decide(admin, 'dealer', dealer.id, 'warn')).status, 200)
  t.match(await noticesOf(dealer), [{ title: 'Warning about your account', body: why }])
  const tab = await dealer.live()
  const { status, body } = await decide(admin, 'dealer', dealer.id, 'suspend', { until: null })
  t.equal(status, 200)
  t.equal(body.author.suspended, true)
  t.same(await tab.nextEvent('kick'), { code: 'suspended' })
  t.equal((await dealer.get('/api/auth/me')).status, 401)
  t.equal((await decide(admin, 'dealer', dealer.id, 'suspend', { until: '2020-01-01T00:00:00Z' })).status, 400)
  const audit = await admin.get<AuditPage>(`/api/admin/audit?q=${encodeURIComponent(why)}`)
  t.same(
    audit.body.entries.map(({ action }) => action),
    ['report.suspend', 'user.suspend', 'report.warn'],
  )
})

t.test('creates a case with bids of bidders who share data, and counts every bid', async (t) => {
  const { db } = app.server.ctx
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const [seller, twin, one, two] = [
    await app.signIn('Seller'),
    await aBidder(app, 'Twin'),
    await aBidder(app, 'One'),
    await aBidder(app, 'Two'),
  ]
  const isOf = (dealer: Caller, about: Record<string, string>) =>
    db.updateTable('dealers').set(about).where('id', '=', dealer.id).execute()
  await isOf(seller, { licenseNumber: 'TX-123 45', licenseState: 'TX', address: '1 Main St.', zip: '75201' })
  await isOf(twin, { licenseNumber: 'tx12345', licenseState: 'tx', address: '2 Main St.', zip: '75201' })
  const sits = (dealer: Caller, address: string) =>
    db.updateTable('sessions').set({ address, userAgent: 'Firefox' }).where('dealerId', '=', dealer.id).execute()
  for (const [dealer, address] of [
    [seller, '127.0.0.1'],
    [twin, '127.0.0.1'],
    [one, '203.0.113.9'],
    [two, '203.0.113.9'],
  ] as const)
    await sits(dealer, address)
  const postId = await publishAuction(seller)
  for (const [bidder, amount] of [
    [one, 10_000],
    [twin, 10_500],
    [two, 11_000],
    [twin, 11_500],
  ] as const)
    t.equal((await bid(bidder, postId, amount)).status, 201, 'no bid is refused')
  await compareBidders(app.server.ctx)
  const casesOf = async () => (await admin.get<CasesPage>('/api/admin/moderation')).body
  const ops = await app.signIn('Operations', { role: 'ops' })
  t.match((await ops.get<LaneAll>('/api/lane/all')).body.rows, [
    { row: { postId }, flags: [{ signals: ['device'] }, { signals: ['license'] }] },
  ])
  const { cases } = await casesOf()
  const ofPost = cases.find(({ kind }) => kind === 'post')
  t.match(ofPost, {
    subjectId: postId,
    author: { id: seller.id },
    reports: [{ reporter: null, reason: 'fraud', decided: false }],
    flags: [
      { bidder: { id: twin.id, number: 2 }, other: { id: seller.id, number: null }, signals: ['license'], postId },
    ],
  })
  t.match(ofPost?.flags[0]?.bids, [
    { bidder: 2, amount: 11_500 },
    { bidder: 2, amount: 10_500 },
  ])
  t.match(
    cases.find(({ kind }) => kind === 'dealer'),
    {
      subjectId: two.id,
      flags: [{ bidder: { id: two.id, number: 3 }, other: { id: one.id, number: 1 }, signals: ['device'] }],
    },
    'the newer account, with bids of both',
  )
  t.equal(cases.length, 2, "neither the server's own address nor a different street number counts")
  for (const dealer of [seller, twin, one, two]) t.same(await noticesOf(dealer), [])

  await decide(admin, 'post', postId, 'dismiss')
  await compareBidders(app.server.ctx)
  t.equal((await casesOf()).cases.length, 1, 'a decided case is not reopened')
  await isOf(twin, { address: '1, Main St' })
  for (const { id } of [seller, one])
    await db
      .insertInto('billingCustomers')
      .values({ dealerId: id, stripeId: `cus_${id}`, cardMark: 'mark' })
      .execute()
  await close(app, seller, postId)
  await compareBidders(app.server.ctx)
  const again = (await casesOf()).cases.find(({ kind }) => kind === 'post')
  t.same(
    new Map(again?.flags.map(({ bidder, signals }) => [bidder.id, signals])),
    new Map([
      [one.id, ['card']],
      [twin.id, ['address', 'license']],
    ]),
    'but stronger evidence does, and it is checked again after the end',
  )
})

t.test('checks bidders again after every end: by the seller, with the post or the vehicle', async (t) => {
  const { ctx } = app.server
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const isOf = (dealer: Caller, zip: string) =>
    ctx.db.updateTable('dealers').set({ address: '1 Main St', zip }).where('id', '=', dealer.id).execute()
  const soldElsewhere = async (postId: string) => {
    const { vehicles } = (await seller.get<PostDetail>(`/api/inventory/${postId}`)).body
    const sale = { postId, vehicleId: vehicles[0]?.id ?? '', sellerId: seller.id, buyerId: admin.id, priceCents: 1 }
    await ctx.db.insertInto('deals').values(sale).execute()
    await close(app, seller, postId)
  }
  for (const [what, end] of [
    ['the seller ends it', (id: string) => seller.post(`/api/inventory/${id}/auction/end`, { reason: 'Keeping it' })],
    ['the post is hidden', (id: string) => decide(admin, 'post', id, 'hide')],
    ['the vehicle was sold elsewhere', soldElsewhere],
  ] as const) {
    await isOf(seller, '75201')
    await isOf(buyer, '75202')
    const postId = await publishAuction(seller, what === 'the seller ends it' ? { reserveAmount: 50_000 } : {})
    t.equal((await bid(buyer, postId, 10_000)).status, 201)
    await compareBidders(ctx)
    await report(buyer, 'post', postId)
    await isOf(buyer, '75201')
    await compareBidders(ctx)
    const flagged = async () => (await flagsOf(ctx.db, [postId])).get(postId)?.map(({ signals }) => signals)
    t.equal(await flagged(), undefined, `${what}: not before`)
    await end(postId)
    await compareBidders(ctx)
    t.same(await flagged(), [['address']], what)
  }
})
