import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { DealDetail, DealPaper, DealPipelinePage } from '#shared/schemas/deals.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import type { Chat } from '#shared/schemas/messaging.ts'
import { aDealWith, aPendingDealOn, wordsOf } from '#tests/support/deals.ts'
import { publish } from '#tests/support/factories.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

async function aPendingDeal() {
  const [seller, buyer] = [await app.signIn('Seller Motors'), await app.signIn('Buyer Cars')]
  const postId = await publish(seller)
  return { seller, buyer, postId, dealId: await aPendingDealOn(postId, seller, buyer) }
}

const read = async (caller: Caller, dealId: string) => (await caller.get<DealDetail>(`/api/deal/${dealId}`)).body
const approve = (caller: Caller, dealId: string) => caller.post<DealDetail & ErrorBody>(`/api/deal/${dealId}/approve`)

t.test('lets a seller approve a deal with a suspended buyer only after the suspension', async (t) => {
  const { seller, buyer, dealId } = await aPendingDeal()
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const set = (what: string) =>
    admin.post(`/api/admin/users/${buyer.id}/${what}`, { reason: 'Bids that nobody meant', until: null })
  const itemOf = async (stage: string) =>
    (await seller.get<DealPipelinePage>(`/api/deals/pipeline?stage=${stage}`)).body.items[0]
  t.match(await itemOf('turn'), { next: 'approve' })
  t.equal((await set('suspend')).status, 200)
  t.match(await approve(seller, dealId), {
    status: 409,
    body: { error: { message: 'The buyer cannot buy right now. Approve the deal later, or cancel it' } },
  })
  t.match(await read(seller, dealId), {
    status: 'pending',
    may: { approve: false, cancel: true },
    absent: [{ side: 'buyer', is: 'unavailable' }],
  })
  t.match(await itemOf('waiting'), { next: null, waitsFor: null }, 'nobody can move the deal on')
  t.equal(await itemOf('turn'), undefined)
  t.equal((await set('reinstate')).status, 200)
  t.match(await itemOf('turn'), { next: 'approve' })
  t.match(await approve(seller, dealId), { status: 200, body: { status: 'approved' } })
})

t.test('refuses to approve a deal whose buyer has deleted their account', async (t) => {
  const { seller, buyer, dealId } = await aPendingDeal()
  const { email } = await app.server.ctx.db
    .selectFrom('dealers')
    .select('email')
    .where('id', '=', buyer.id)
    .executeTakeFirstOrThrow()
  t.equal((await buyer.delete('/api/account', { email })).status, 204)
  t.match(await approve(seller, dealId), {
    status: 409,
    body: { error: { message: 'The buyer is no longer on Lanewire. Cancel the deal to close it' } },
  })
  const deal = await read(seller, dealId)
  t.match(deal, { buyer: { name: 'Deleted dealer' }, absent: [{ side: 'buyer', is: 'deleted' }] })
  t.match(await seller.post(`/api/deal/${dealId}/cancel`), { status: 200, body: { status: 'cancelled' } })
})

t.test("updates an open deal in the other party's tab when a party is suspended, reinstated or deleted", async (t) => {
  const { seller, buyer, dealId } = await aPendingDeal()
  const [admin, stranger] = [await app.signIn('Lanewire', { role: 'admin' }), await app.signIn('Stranger')]
  const [tab, away] = [await seller.live(), await stranger.live()]
  const change = (method: 'post' | 'delete', path = '') =>
    admin[method](`/api/admin/users/${buyer.id}${path}`, { reason: 'Bids that nobody meant', until: null })
  const isUpdated = () => tab.nextEvent('inbox.changed', ({ what, id }) => what === 'deal' && id === dealId)
  const absentNow = async () => (await read(seller, dealId)).absent.map((party) => party.is)
  t.equal((await change('post', '/suspend')).status, 200)
  await isUpdated()
  t.same(await absentNow(), ['unavailable'])
  t.equal((await change('post', '/reinstate')).status, 200)
  await isUpdated()
  t.same(await absentNow(), [])
  t.equal((await change('delete')).status, 204)
  await isUpdated()
  t.same(await absentNow(), ['deleted'])
  t.same(await away.receivedAfterRoundTrip('inbox.changed'), [])
})

t.test("updates an open deal in the other party's tab when a suspension ends by itself", async (t) => {
  const { seller, buyer, dealId } = await aPendingDeal()
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const tab = await seller.live()
  const isUpdated = () => tab.nextEvent('inbox.changed', ({ what, id }) => what === 'deal' && id === dealId)
  const suspension = { reason: 'A short break', until: new Date(Date.now() + 86_400_000) }
  t.equal((await admin.post(`/api/admin/users/${buyer.id}/suspend`, suspension)).status, 200)
  await isUpdated()
  const { db } = app.server.ctx
  await db.updateTable('dealers').set({ suspendedUntil: new Date() }).where('id', '=', buyer.id).execute()
  const job = db.updateTable('outbox').set({ runAt: new Date() }).where('name', '=', 'deal.refresh')
  t.equal((await job.executeTakeFirst()).numUpdatedRows, 1n)
  await isUpdated()
  t.same((await read(seller, dealId)).absent, [])
})

t.test("shows the vehicle's photo until the post is hidden", async (t) => {
  const { seller, postId, dealId } = await aPendingDeal()
  const { db } = app.server.ctx
  t.equal((await read(seller, dealId)).photo, null)
  await db.insertInto('photos').values({ postId, position: 0, url: '/api/objects/one' }).execute()
  t.equal((await read(seller, dealId)).photo, '/api/objects/one')
  await db.updateTable('posts').set({ hiddenAt: new Date() }).where('id', '=', postId).execute()
  t.equal((await read(seller, dealId)).photo, null)
})

t.test("names the parties' chat once it is in the reader's list, and no chat for an admin", async (t) => {
  const { seller, buyer, dealId } = await aPendingDeal()
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const chatIds = async () => [
    (await read(seller, dealId)).chatId,
    (await read(buyer, dealId)).chatId,
    (await read(admin, dealId)).chatId,
  ]
  t.same(await chatIds(), [null, null, null])
  const { id: chatId } = (await buyer.post<Chat>('/api/chats', { dealerId: seller.id })).body
  t.same(await chatIds(), [null, chatId, null], 'an empty chat is listed only for the dealer who opened it')
  await buyer.post('/api/messages', { chatId, content: 'When can I pick it up?' }, { 'idempotency-key': chatId })
  t.same(await chatIds(), [chatId, chatId, null])
})

t.test('previews the same text as the PDF, to the same readers', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller Motors', { plan: 'premium' }), await app.signIn('Buyer Cars')]
  const { id } = await aDealWith(seller, buyer)
  await buyer.post(`/api/deal/${id}/documents/bill_of_sale/signature`, { name: 'Ann Lee' })
  const bill = await until('the signed paper', async () =>
    (await read(buyer, id)).documents.find((one) => one.kind === 'bill_of_sale' && one.ready && one.version === 2),
  )
  const path = `/api/deal/${id}/documents/${bill.id}`
  const { body: text } = await buyer.get<DealPaper>(`${path}/text`)
  t.match(text, { title: 'Bill of Sale', reference: `${bill.number}, version 2`, price: '$30,000' })
  t.match(text.signatures, [
    { by: 'Seller, Seller Motors', name: null, note: 'Not signed yet' },
    { by: 'Buyer, Buyer Cars', name: 'Ann Lee', note: /^Signed electronically by typed name on .* from 127\.0\.0\.1$/ },
  ])
  const pdf = await fetch(app.url + path, { headers: { cookie: buyer.cookie } })
  const words = wordsOf(Buffer.from(await pdf.arrayBuffer()))
  const rows = [...text.vehicle, ...text.parties.flatMap((party) => party.rows)].map(({ value }) => value)
  for (const value of [text.reference, text.issued, text.price ?? '', ...rows]) t.ok(words.includes(value), value)
  for (const word of text.statement.split(/\s+/)) t.ok(words.includes(word), word)
  t.equal((await (await app.signIn('Stranger')).get(`${path}/text`)).status, 404)
  t.equal((await buyer.get(`/api/deal/${bill.id}/documents/${bill.id}/text`)).status, 404, "another deal's address")
})

t.test('refuses the text of a bill of sale that no plan includes', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller Motors'), await app.signIn('Buyer Cars')]
  const { id, documents } = await aDealWith(seller, buyer)
  const statusOf = async (kind: string) =>
    (await buyer.get(`/api/deal/${id}/documents/${documents.find((one) => one.kind === kind)?.id}/text`)).status
  t.same([await statusOf('bill_of_sale'), await statusOf('odometer')], [402, 200])
})
