import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import t from 'tap'
import { dealerFileRows, dealerNoteMax } from '#shared/limits.ts'
import type { AdminOverview, DealerFile } from '#shared/schemas/admin.ts'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { BillingOverview, ChangePreview, DealerBilling, MySubscription } from '#shared/schemas/billing.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import { eraseDealer } from '#server/features/account/account.service.ts'
import { onLeaving } from '#server/leaving.ts'
import { sendRefund } from '#server/features/billing/refunds.service.ts'
import { lockDealer } from '#server/features/dealers/dealers.service.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { Caller } from '#tests/support/app.ts'
import { startBillingApp, subscribe, untilStatus } from '#tests/support/billing.ts'
import { publish } from '#tests/support/factories.ts'
import { untilBlocked } from '#tests/support/locks.ts'
import { until } from '#tests/support/wait.ts'

const app = await startBillingApp(t)
const { signIn, visitor, server } = app
const { db, stripe } = server.ctx
const admin = await signIn('Lanewire', { role: 'admin', name: 'Ada Admin' })
const reason = 'As agreed on the phone'

const at = (dealer: Pick<Caller, 'id'>, what: string) => `/api/admin/users/${dealer.id}/${what}`
const fileOf = async (dealer: Caller) => (await admin.get<DealerFile>(at(dealer, 'file'))).body
const billingOf = async (dealer: Caller) => (await admin.get<DealerBilling>(at(dealer, 'billing'))).body
const planOf = async (dealer: Caller) => (await dealer.get<MySubscription>('/api/my-subscription')).body.subscription
const told = async (dealer: Caller) =>
  (await dealer.get<NotificationsPage>('/api/notifications')).body.items.map(({ title }) => title)
const acts = async (noun: string) =>
  (await admin.get<AuditPage>(`/api/admin/audit?action=${noun}`)).body.entries.map(({ action }) => action)
const overview = async () => (await admin.get<AdminOverview>('/api/admin/overview')).body
const refund = (dealer: Caller, body: object, key = randomUUID()) =>
  admin.post<DealerBilling>(at(dealer, 'refunds'), { reason, ...body }, { 'idempotency-key': key })

async function aPayer(plan = 'basic') {
  const dealer = await signIn()
  await subscribe(dealer, plan)
  const [invoice] = (await billingOf(dealer)).invoices
  if (!invoice) throw new Error('no invoice')
  return { dealer, invoice }
}

t.test("shows and opens a dealer's admin page to admins only", async (t) => {
  const { dealer, invoice } = await aPayer()
  const note = (await admin.post<DealerFile>(at(dealer, 'notes'), { text: 'Calls back on Monday' })).body.notes[0]
  const [session] = (await fileOf(dealer)).sessions
  const key = { 'idempotency-key': randomUUID() }
  const gift = { planId: 'premium', until: new Date(Date.now() + 86_400_000).toISOString(), reason }
  const routes = [
    ['get', 'file'],
    ['get', 'billing'],
    ['post', 'refunds', { invoiceId: invoice.id, reason }],
    ['post', 'plan/preview', { planId: 'premium' }],
    ['post', 'plan', { planId: 'premium', quote: 'x', reason }],
    ['put', 'gift', gift],
    ['delete', 'gift', { reason }],
    ['post', 'notes', { text: 'Mine' }],
    ['delete', `notes/${note?.id ?? ''}`],
    ['delete', 'sessions', { reason }],
    ['delete', `sessions/${session?.id ?? ''}`, { reason }],
  ] as const
  const ops = await signIn('Lanewire', { role: 'ops' })
  const other = await signIn('Other Cars')
  for (const [method, path, body] of routes) {
    for (const caller of [dealer, other, ops])
      t.equal((await caller[method](at(dealer, path), body, key)).status, 403, `${method} ${path}`)
    t.equal((await visitor[method](at(dealer, path), body, key)).status, 401, `${method} ${path}`)
    const nobody = { id: randomUUID() }
    if (path !== 'plan' && path !== 'plan/preview')
      t.equal((await admin[method](at(nobody, path), body, key)).status, 404, `${method} ${path} of an unknown dealer`)
  }
  t.match(await fileOf(dealer), { sessions: [{ id: session?.id }], notes: [{ text: 'Calls back on Monday' }] })
  t.match(await planOf(dealer), { plan: { id: 'basic' }, complimentary: false })
})

t.test("shows a dealer's own data on their admin page, with the newest twenty of each kind", async (t) => {
  const [dealer, other] = [
    await signIn('Zephyr Autos', { plan: 'basic' }),
    await signIn('Other Cars', { plan: 'basic' }),
  ]
  const [mine, theirs] = [await publish(dealer, { title: 'Clean Tacoma' }), await publish(other)]
  await dealer.post('/api/reports', { kind: 'post', subjectId: theirs, reason: 'spam' })
  await other.post('/api/reports', { kind: 'post', subjectId: mine, reason: 'fraud', details: 'Same photos' })
  await db
    .insertInto('deals')
    .values({ sellerId: other.id, buyerId: dealer.id, priceCents: 24_500_00, make: 'Ford' })
    .execute()
  await sql`insert into posts (dealer_id, title, description, type)
    select dealer_id, 'One of many', description, type from posts, generate_series(1, 25) where id = ${mine}`.execute(
    db,
  )
  const file = await fileOf(dealer)
  t.equal(file.posts.length, dealerFileRows)
  t.match(file, {
    user: { dealershipName: 'Zephyr Autos', role: 'dealer' },
    deletedAt: null,
    invited: false,
    deals: [{ make: 'Ford', price: 24_500, seller: { id: other.id } }],
    reports: {
      by: [{ kind: 'post', subjectId: theirs, author: { id: other.id }, decided: false }],
      about: [{ subjectId: mine, reason: 'fraud', details: 'Same photos', reporter: { id: other.id } }],
    },
    sessions: [{ lastSeenAt: String }],
    notes: [],
  })
  t.match((await fileOf(other)).reports, { by: [{ subjectId: mine }], about: [{ subjectId: theirs }] })
  const { body } = await admin.post<{ id: string }>('/api/admin/users', {
    name: 'Ivy Invited',
    email: 'ivy@invited.test',
    dealershipName: '',
    dealershipType: 'independent',
    role: 'ops',
  })
  t.equal((await admin.get<DealerFile>(at(body, 'file'))).body.invited, true)
})

t.test('shows notes only to admins and deletes them with the account', async (t) => {
  const dealer = await signIn('Noted Cars')
  const second = await signIn('Lanewire', { role: 'admin', name: 'Bo Admin' })
  const third = await signIn('Lanewire', { role: 'admin', name: '' })
  await admin.post(at(dealer, 'notes'), { text: 'Wants a yearly plan' })
  const { body } = await second.post<DealerFile>(at(dealer, 'notes'), { text: '  Paid late twice  ' })
  t.match(body.notes, [
    { text: 'Paid late twice', author: { id: second.id, name: 'Bo Admin' } },
    { text: 'Wants a yearly plan', author: { id: admin.id } },
  ])
  const unnamed = (await third.post<DealerFile>(at(dealer, 'notes'), { text: 'A third' })).body.notes[0]
  t.match(unnamed, { author: { name: /@test\.example$/ } }, 'an admin without a name appears by email')
  for (const text of ['', '   ', 'x'.repeat(dealerNoteMax + 1)])
    t.equal((await admin.post(at(dealer, 'notes'), { text })).status, 400)
  t.equal(
    (await admin.delete(at(dealer, `notes/${body.notes[0]?.id ?? ''}`))).status,
    200,
    'any admin can delete the note',
  )
  t.equal((await admin.delete(at(dealer, `notes/${body.notes[0]?.id ?? ''}`))).status, 404)
  const seen = await Promise.all([dealer.get('/api/auth/me'), dealer.get('/api/notifications')])
  t.notMatch(JSON.stringify(seen.map((answer) => answer.body)), 'yearly plan')
  t.same(await acts('note'), ['note.remove', 'note.add', 'note.add', 'note.add', 'note.add'])
  const log = await admin.get('/api/admin/audit?action=note')
  t.notMatch(JSON.stringify(log.body), 'yearly plan', 'the permanent log does not contain the text')
  t.equal((await admin.delete(`/api/admin/users/${dealer.id}`, { reason })).status, 204)
  t.match(await fileOf(dealer), { user: { name: 'Deleted dealer' }, deletedAt: String, notes: [], sessions: [] })
})

t.test('lets an admin end one or all sessions of a dealer, including their sockets', async (t) => {
  const dealer = await signIn('Signed In Cars')
  const tab = await dealer.live()
  const other = await signIn()
  const [foreign] = (await fileOf(other)).sessions
  t.equal((await admin.delete(at(dealer, `sessions/${foreign?.id ?? ''}`), { reason })).status, 404)
  const [session] = (await fileOf(dealer)).sessions
  const kicked = tab.nextEvent('kick')
  t.equal((await admin.delete(at(dealer, `sessions/${session?.id ?? ''}`), { reason })).status, 200)
  t.same(await kicked, { code: 'revoked' })
  t.equal((await dealer.get('/api/auth/me')).status, 401)
  t.same((await admin.delete<DealerFile>(at(other, 'sessions'), { reason })).body.sessions, [])
  t.equal((await other.get('/api/auth/me')).status, 401)
  t.same(await acts('session'), ['session.end', 'session.end'])
})

t.test('grants a plan until a day, does not count it as revenue, and ends it by itself', async (t) => {
  const dealer = await signIn('Given Cars')
  const give = (until: number, planId = 'premium') =>
    admin.put(at(dealer, 'gift'), { planId, until: new Date(until).toISOString(), reason })
  const { monthlyRevenue, gifts } = await overview()
  t.equal((await give(Date.now() - 1_000)).status, 400, 'an end in the past')
  t.equal((await give(Date.now() + 6 * 366 * 86_400_000)).status, 400)
  t.equal((await give(Date.now() + 86_400_000, 'none')).status, 404)
  t.equal((await give(Date.now() + 86_400_000, 'basic')).status, 200)
  t.match(await planOf(dealer), { plan: { id: 'basic' }, complimentary: true, givenUntil: String })
  t.match(await overview(), { monthlyRevenue, gifts: gifts + 1 })
  t.equal((await dealer.post('/api/inventory', { title: 'x' })).status, 400, "not 402: the plan's features apply")
  for (const path of ['cancel', 'resume'])
    t.equal((await dealer.post(`/api/${path}-subscription`, {})).status, 409, 'there is nothing to cancel or resume')
  const end = Date.now() + 2 * 86_400_000
  t.equal((await give(end)).status, 200, 'another gift replaces the first')
  t.match(await planOf(dealer), { plan: { id: 'premium' }, givenUntil: new Date(end).toISOString() })
  // The second gift queued its own job, due on the new end date.
  const jobs = db.selectFrom('outbox').select('runAt').where('name', '=', 'billing.endGift')
  t.same(
    (
      await jobs
        .where(sql`payload ->> 'dealerId'`, '=', dealer.id)
        .orderBy('runAt', 'desc')
        .execute()
    )[0],
    { runAt: new Date(end) },
  )
  await sql`update subscriptions set given_until = now() where dealer_id = ${dealer.id}`.execute(db)
  await sql`update outbox set run_at = now() where name = 'billing.endGift' and payload ->> 'dealerId' = ${dealer.id}`.execute(
    db,
  )
  await untilStatus(dealer, 'none')
  t.match(await overview(), { monthlyRevenue, gifts })
  await give(Date.now() + 86_400_000)
  t.equal((await admin.delete(at(dealer, 'gift'), { reason })).status, 200)
  t.equal(await planOf(dealer), null)
  t.equal((await admin.delete(at(dealer, 'gift'), { reason })).status, 404)
  t.same(await acts('gift'), ['gift.end', 'gift.give', 'gift.give', 'gift.give'])
  t.same((await told(dealer)).slice(0, 2), ['Your Premium Plan has ended', "You've been given the Premium Plan"])
  await give(Date.now() + 86_400_000)
  await subscribe(dealer, 'basic')
  t.match(await planOf(dealer), { plan: { id: 'basic' }, givenUntil: null }, 'a paid plan replaces the gift')
  t.equal((await give(Date.now() + 86_400_000)).status, 409, 'no gifts to paying dealers')
})

t.test('removes a gift plan with its account, even if both happen at once', async (t) => {
  const until = new Date(Date.now() + 86_400_000).toISOString()
  const give = (dealer: Pick<Caller, 'id'>) => admin.put(at(dealer, 'gift'), { planId: 'basic', until, reason })
  const { gifts } = await overview()
  const email = `${randomUUID()}@dealer.example`
  const invited = (await admin.post<{ id: string }>('/api/admin/invitations', { email })).body
  t.equal((await give(invited)).status, 200)
  t.match(await overview(), { gifts: gifts + 1 })
  t.equal((await admin.delete(`/api/admin/invitations/${invited.id}`)).status, 204)
  t.match(await overview(), { gifts })

  const leaving = await signIn('Leaving Cars')
  const watcher = new pg.Client({ connectionString: app.services['DATABASE_URL'] })
  await watcher.connect()
  t.teardown(() => watcher.end())
  const { given } = await server.ctx.transact(async (tx, emit) => {
    await eraseDealer(tx, emit, onLeaving, leaving.id)
    const answer = give(leaving)
    await untilBlocked(watcher, '%"dealers"%')
    return { given: answer }
  })
  t.equal((await given).status, 404)
  t.match(await overview(), { gifts })
})

t.test("lets an admin change a paying dealer's plan at the price that was shown", async (t) => {
  const { dealer } = await aPayer()
  const unpaid = await signIn()
  t.equal((await admin.post(at(unpaid, 'plan/preview'), { planId: 'premium' })).status, 409)
  const preview = await admin.post<ChangePreview>(at(dealer, 'plan/preview'), { planId: 'premium' })
  t.match(preview.body, { planName: 'Premium Plan', newPrice: 149 })
  const forged = await admin.post(at(dealer, 'plan'), { planId: 'premium', quote: 'forged', reason })
  t.equal(forged.status, 409)
  const change = { planId: 'premium', quote: preview.body.quote, reason }
  t.match((await admin.post(at(dealer, 'plan'), change)).body, { subscription: { plan: { id: 'premium' } } })
  t.equal((await billingOf(dealer)).invoices[0]?.amount, preview.body.dueNow)
  t.same(await acts('subscription'), ['subscription.change', 'subscription.refuse', 'subscription.change'])
  await until("the dealer's notification", async () => (await told(dealer)).includes('You are now on the Premium Plan'))
})

t.test('does not log a charged change as refused, whatever fails later', async (t) => {
  const { dealer } = await aPayer()
  const { quote } = (await admin.post<ChangePreview>(at(dealer, 'plan/preview'), { planId: 'premium' })).body
  const list = stripe.subscriptions.list.bind(stripe.subscriptions)
  stripe.subscriptions.list = () => {
    stripe.subscriptions.list = list
    throw new Error('not reached')
  }
  await admin.post(at(dealer, 'plan'), { planId: 'premium', quote, reason })
  await until('the new plan', async () => (await planOf(dealer))?.plan.id === 'premium')
  t.equal((await acts('subscription'))[0], 'subscription.change')
})

t.test('refunds an invoice in part and in full, once per key, and never more than was paid', async (t) => {
  const { dealer, invoice } = await aPayer()
  const before = await overview()
  t.match(invoice, { amount: 99, refunded: 0, refundable: 99, status: 'paid' })
  const key = randomUUID()
  const part = { invoiceId: invoice.id, amount: 19.01 }
  const first = await refund(dealer, part, key)
  t.match(first.body, {
    invoices: [{ refunded: 19.01, refundable: 79.99 }],
    refunds: [{ amount: 19.01, reason, state: 'done', refusal: null }],
  })
  const again = await Promise.all([refund(dealer, part, key), refund(dealer, part, key)])
  for (const { body } of again) t.match(body, { invoices: [{ refunded: 19.01 }] }, 'the same key refunds once')
  t.equal((await refund(dealer, { ...part, amount: 5 }, key)).status, 409, 'the key is not valid for another amount')
  t.equal((await refund(dealer, { ...part, amount: 80 })).status, 400)
  for (const amount of [0, -1, 0.001]) t.equal((await refund(dealer, { ...part, amount })).status, 400, String(amount))
  t.equal((await refund(dealer, { ...part, reason: '' })).status, 400)
  t.equal((await admin.post(at(dealer, 'refunds'), { ...part, reason })).status, 400, 'a key is required')
  const stranger = await aPayer()
  t.equal((await refund(stranger.dealer, part)).status, 404, "another dealer's invoice")
  const race = await Promise.all([1, 2].map(async () => refund(dealer, { invoiceId: invoice.id, amount: 50 })))
  t.same(race.map(({ status }) => status).toSorted(), [200, 400], 'two simultaneous refunds never exceed the payment')
  t.match((await refund(dealer, { invoiceId: invoice.id })).body, { invoices: [{ refunded: 99, refundable: 0 }] })
  t.equal((await refund(dealer, { invoiceId: invoice.id })).status, 409)
  t.match((await dealer.get<BillingOverview>('/api/billing')).body, { invoices: [{ amount: 99, refunded: 99 }] })
  const { monthlyRevenue, refundedThisMonth } = await overview()
  t.equal(Math.round(refundedThisMonth - before.refundedThisMonth), 99, 'the figures include it')
  t.equal(monthlyRevenue, before.monthlyRevenue + 99, 'monthly plan revenue does not change')
  t.equal((await acts('invoice')).length, 3)
  t.same((await told(dealer)).filter((title) => title.includes('refunded')).length, 3)
})

/** Stores a refund that has not been sent to the payment provider yet. */
const writeDown = async (invoice: { id: string }, dealer: Caller, amountCents: number, tx: Db = db) =>
  tx
    .insertInto('refunds')
    .values({ key: randomUUID(), dealerId: dealer.id, invoiceId: invoice.id, invoiceNumber: '1', amountCents, reason })
    .returning('id')
    .executeTakeFirstOrThrow()

t.test('counts a refund once, even if another admin asks for more while it runs', async (t) => {
  const { dealer, invoice } = await aPayer()
  const under = await writeDown(invoice, dealer, 5_000)
  const atProvider = { invoice: invoice.id, amount: 5_000, refund_amount: 5_000, metadata: { refund: under.id } }
  await stripe.creditNotes.create(atProvider, { idempotencyKey: `refund:${under.id}` })
  t.match(
    (await billingOf(dealer)).invoices,
    [{ refunded: 50, refundable: 49 }],
    'refunded at the provider, not yet recorded here',
  )
  const tooMuch = await refund(dealer, { invoiceId: invoice.id, amount: 50 })
  t.equal(tooMuch.status, 400)
  t.match(tooMuch.body, { error: { message: 'You can refund up to $49' } })
  await sendRefund(server.ctx, under.id)

  const watcher = new pg.Client(app.services.DATABASE_URL)
  await watcher.connect()
  t.teardown(() => watcher.end())
  let second: ReturnType<typeof refund> | undefined
  await server.ctx.transact(async (tx) => {
    await lockDealer(tx, dealer.id)
    second = refund(dealer, { invoiceId: invoice.id, amount: 40 })
    await untilBlocked(watcher, '%from "dealers"%for no key update%')
    const { id } = await writeDown(invoice, dealer, 1_000, tx)
    await stripe.creditNotes.create({
      invoice: invoice.id,
      amount: 1_000,
      refund_amount: 1_000,
      metadata: { refund: id },
    })
    await tx
      .updateTable('refunds')
      .set({ doneAt: sql`now()` })
      .where('id', '=', id)
      .execute()
  })
  t.equal((await second)?.status, 400, 'the other refund was done before the lock, after the invoice was read')
  t.match((await billingOf(dealer)).invoices, [{ refunded: 60, refundable: 39 }])
})

t.test('reports a refund that the provider refuses, and retries one whose response was lost', async (t) => {
  const { dealer, invoice } = await aPayer()
  await stripe.creditNotes.create({ invoice: invoice.id, amount: 9_000, refund_amount: 9_000 })
  const [tooMuch, lost] = [await writeDown(invoice, dealer, 9_000), await writeDown(invoice, dealer, 500)]
  t.match((await billingOf(dealer)).invoices, [{ refunded: 90, refundable: 0 }], 'a pending refund counts as refunded')
  for (const { id } of [tooMuch, lost, lost]) await sendRefund(server.ctx, id)
  t.match(await billingOf(dealer), {
    invoices: [{ refunded: 95, refundable: 4 }],
    refunds: [
      { amount: 5, state: 'done' },
      { amount: 90, state: 'refused', refusal: /greater than the amount not yet refunded/ },
    ],
  })
})

t.test('does not repeat a refund that the provider has but whose key it no longer knows', async (t) => {
  const { dealer, invoice } = await aPayer()
  const { id } = await writeDown(invoice, dealer, 500)
  await stripe.creditNotes.create({ invoice: invoice.id, amount: 500, refund_amount: 500, metadata: { refund: id } })
  await sendRefund(server.ctx, id)
  t.match(await billingOf(dealer), { invoices: [{ refunded: 5, refundable: 94 }], refunds: [{ state: 'done' }] })
})

t.test("names the last day of a gift in the dealer's time zone", async (t) => {
  const dealer = await signIn('Central Cars')
  const year = new Date().getUTCFullYear() + 1
  // Midnight in Chicago, the default time zone.
  const until = `${year}-08-01T04:59:59.000Z`
  t.equal((await admin.put(at(dealer, 'gift'), { planId: 'premium', until, reason })).status, 200)
  const notices = await dealer.get<NotificationsPage>('/api/notifications')
  t.match(notices.body.items[0]?.body, `Until July 31, ${year}.`)
  const refused = await dealer.post('/api/cancel-subscription', {})
  t.match(refused, { status: 409, body: { error: { message: `It ends automatically on July 31, ${year}` } } })
})
