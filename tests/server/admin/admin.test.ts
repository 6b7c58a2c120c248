import { sql } from 'kysely'
import t from 'tap'
import { searchTotalMax } from '#shared/limits.ts'
import type { AdminDealsPage, AdminOverview, AdminUser, AdminUsersPage } from '#shared/schemas/admin.ts'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { DealDetail } from '#shared/schemas/deals.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { AdminPricing } from '#shared/schemas/billing.ts'
import type { Promotion } from '#shared/schemas/promotions.ts'
import { applyRetention } from '#server/features/admin/retention.service.ts'
import { sweeps } from '#server/retention.ts'
import { type Caller, startApp } from '../../support/app.ts'
import { utcDate, withinOneDay } from '../../support/one-day.ts'
import { until } from '../../support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const reason = { reason: 'sold the same car twice' }

t.test("ends a suspended dealer's sessions and sockets at once and records the suspension", async (t) => {
  const { signIn } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  const dealer = await signIn('Acme Motors')
  const tab = await dealer.live()
  const kicked = tab.nextEvent('kick')
  const count = async (state: string) => (await admin.get<AdminUsersPage>(`/api/admin/users?state=${state}`)).body.total
  t.same([await count('active'), await count('suspended')], [2, 0])
  const answer = await admin.post<AdminUser>(`/api/admin/users/${dealer.id}/suspend`, { ...reason, until: null })
  t.equal(answer.status, 200)
  t.same([await count('active'), await count('suspended')], [1, 1], 'the totals are recounted')
  t.ok(answer.body.suspendedAt)
  t.same(await kicked, { code: 'suspended' })
  t.equal((await dealer.get('/api/auth/me')).status, 401)
  const { body } = await admin.get<AuditPage>('/api/admin/audit?action=user')
  t.match(body.entries[0], {
    action: 'user.suspend',
    subjectId: dealer.id,
    reason: reason.reason,
    actorId: admin.id,
    before: { suspended: false },
    after: { suspended: true, until: null },
    requestId: answer.headers.get('x-request-id') ?? 'none',
  })
  t.equal((await admin.post(`/api/admin/users/${dealer.id}/reinstate`, {})).status, 200)
  t.equal((await admin.post(`/api/admin/users/${dealer.id}/reinstate`, {})).status, 409, 'refused the second time')
  const { at = '' } = body.entries[0] ?? {}
  const actions = async (query: string) =>
    (await admin.get<AuditPage>(`/api/admin/audit?action=user&${query}`)).body.entries.map(({ action }) => action)
  t.same(await actions(`to=${at}`), [], 'the period excludes its end')
  t.same(await actions(`from=${at}`), ['user.reinstate', 'user.suspend'], 'the period includes its start')
})

t.test('refuses to demote, suspend or delete the last admin', async (t) => {
  const { signIn } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  t.equal((await admin.patch(`/api/admin/users/${admin.id}`, { role: 'dealer' })).status, 409)
  t.equal((await admin.post(`/api/admin/users/${admin.id}/suspend`, { ...reason, until: null })).status, 409)
  t.equal((await admin.delete(`/api/admin/users/${admin.id}`, reason)).status, 409)
  const invited = { name: 'Nobody Yet', email: 'typo@lane.example', dealershipName: '', dealershipType: 'independent' }
  t.equal((await admin.post('/api/admin/users', { ...invited, role: 'admin' })).status, 201)
  t.equal(
    (await admin.patch(`/api/admin/users/${admin.id}`, { role: 'dealer' })).status,
    409,
    'an invited admin who never signed in does not count',
  )
  const second = await signIn('Lanewire', { role: 'admin' })
  const answers = await Promise.all([
    admin.delete(`/api/admin/users/${second.id}`, reason),
    second.delete(`/api/admin/users/${admin.id}`, reason),
  ])
  const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b)
  t.equal(statuses[0], 204, 'one of two admins who delete each other remains')
  t.not(statuses[1], 204)
})

t.test(
  'finds users by name, dealership and email, edits only what is allowed, and anonymizes deleted users',
  async (t) => {
    const { signIn, server } = app
    const admin = await signIn('Lanewire', { role: 'admin' })
    const dealer = await signIn('Zephyr Autos', { name: 'Nadia Okonkwo' })
    for (const q of ['okonk', 'ZEPHYR'])
      t.same(
        (await admin.get<AdminUsersPage>(`/api/admin/users?q=${q}`)).body.users.map((user) => user.id),
        [dealer.id],
      )
    const edit = { name: 'Nadia O.', passwordHash: 'x', deletedAt: '2020-01-01T00:00:00Z', rating: 5 }
    const edited = await admin.patch<AdminUser>(`/api/admin/users/${dealer.id}`, edit)
    t.equal(edited.body.name, 'Nadia O.')
    const row = await server.ctx.db
      .selectFrom('dealers')
      .selectAll()
      .where('id', '=', dealer.id)
      .executeTakeFirstOrThrow()
    t.match(row, { passwordHash: null, deletedAt: null, rating: null }, 'other fields cannot be written')
    t.equal((await admin.delete(`/api/admin/users/${dealer.id}`, reason)).status, 204)
    const gone = await server.ctx.db
      .selectFrom('dealers')
      .selectAll()
      .where('id', '=', dealer.id)
      .executeTakeFirstOrThrow()
    t.equal(gone.name, 'Deleted dealer')
    t.notMatch(gone.email, 'test.example')
    t.equal((await admin.get(`/api/admin/users/${dealer.id}`)).status, 404)
  },
)

t.test(
  'matches one or two letters at the beginning of words, three letters anywhere, and signs literally',
  async (t) => {
    const { signIn, server } = app
    const admin = await signIn('Lanewire', { name: 'Ada Admin', role: 'admin' })
    const ann = await signIn('Lone Star Trucks', { name: 'Ann Torres' })
    const ben = await signIn('R&B Motors 42%', { name: 'Ben Storm' })
    const { db } = server.ctx
    await db.updateTable('dealers').set({ email: 'ann@torres.test' }).where('id', '=', ann.id).execute()
    await db
      .updateTable('dealers')
      .set({ email: 'b_storm@xyz.test', suspendedAt: new Date() })
      .where('id', '=', ben.id)
      .execute()
    await db.updateTable('dealers').set({ email: 'ada@lane.test' }).where('id', '=', admin.id).execute()
    const find = async (q: string, more = '') =>
      (await admin.get<AdminUsersPage>(`/api/admin/users?q=${encodeURIComponent(q)}${more}`)).body
    const idsOf = async (q: string, more = '') => (await find(q, more)).users.map(({ id }) => id)
    for (const [q, found] of [
      ['to', [ann.id]],
      ['St', [ben.id, ann.id]],
      ['a', [ann.id, admin.id]],
      ['tr', [ann.id]],
      ['xy', [ben.id]],
      ['yz', []],
      ['or', []],
      ['n t', []],
      ['a a', []],
      ['b s', []],
      ['r&b m', [ben.id]],
      ['r&', [ben.id]],
      ['orr', [ann.id]],
      ['tor', [ben.id, ann.id]],
      ['yz.t', []],
      ['%', [ben.id]],
      ['_', [ben.id]],
      ['b_', [ben.id]],
      ['*', []],
      ['\\', []],
    ] as const)
      t.same(await idsOf(q), found, q)
    t.same(await idsOf('st', '&state=suspended'), [ben.id])
    t.same(await idsOf('st', '&state=active'), [ann.id])
    t.match(await find('zz'), { users: [], total: 0, nextCursor: null })
  },
)

t.test(
  'lists as active only dealers who may use their account: not suspended, waiting, declined or just invited',
  async (t) => {
    const { signIn, server } = app
    const admin = await signIn('Lanewire', { role: 'admin' })
    const [ann, ben] = [await signIn('Ann Motors'), await signIn('Ben Motors')]
    await admin.post(`/api/admin/users/${ben.id}/suspend`, { ...reason, until: null })
    await sql`
    insert into dealers (email, dealership_name, waiting_since, declined_at, declined_reason, suspended_at) values
      ('w@dealer.example', 'Waiting Motors', now(), null, null, null),
      ('b@dealer.example', 'Both Motors', now(), null, null, now()),
      ('d@dealer.example', 'Declined Motors', now(), now(), 'No', null)`.execute(server.ctx.db)
    const invited = { name: 'Ida', dealershipName: 'Invited Motors', dealershipType: 'independent', role: 'dealer' }
    t.equal((await admin.post('/api/admin/users', { ...invited, email: 'i@dealer.example' })).status, 201)
    const find = async (query: string) => (await admin.get<AdminUsersPage>(`/api/admin/users?${query}`)).body
    t.same(
      (await find('state=active')).users.map(({ id }) => id),
      [ann.id, admin.id],
    )
    t.match(await find('state=active&limit=1'), { total: 2, users: [{ id: ann.id }] }, 'the count excludes them too')
    t.match(await find('state=active&limit=1&q=motors'), { total: 1, users: [{ id: ann.id }] })
  },
)

t.test('counts results exactly up to one page, and crowds up to a thousand', async (t) => {
  const { signIn, server } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  const crowd = searchTotalMax + 10
  await sql`
    insert into dealers (email, dealership_name)
    select 'crowd-' || g || '@dealer.example', case when g <= 60 then 'Sixty Cars' else '' end
    from generate_series(1, ${crowd}::int) g`.execute(server.ctx.db)
  const find = async (query: string) => (await admin.get<AdminUsersPage>(`/api/admin/users?${query}`)).body
  t.match(await find('q=crowd-7%40'), { total: 1, nextCursor: null })
  const sixty = await find('q=sixty')
  t.match([sixty.users.length, sixty.total], [50, 60])
  t.match(await find(`q=sixty&cursor=${sixty.nextCursor}`), { total: 60, nextCursor: null })
  t.equal((await find('q=cr')).total, searchTotalMax + 1, 'one above the limit means that there are more')
  t.equal((await find('')).total, crowd + 1, 'counts everything without a search')
})

t.test('mails an invitation and refuses to invite an address twice', async (t) => {
  const { signIn, server } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  const input = {
    name: 'New Dealer',
    email: 'new@dealer.example',
    dealershipName: 'New Cars',
    dealershipType: 'franchise',
    role: 'dealer',
  }
  t.equal((await admin.post('/api/admin/users', input)).status, 201)
  t.equal((await admin.post('/api/admin/users', input)).status, 409)
  t.equal((await admin.post('/api/admin/users', { ...input, email: 'nonsense' })).status, 400)
  const mails = async () => (await server.ctx.mailer.listStored()).filter((mail) => mail.to === input.email)
  await until('the invitation', async () => (await mails()).length === 1)
  t.match((await mails())[0]?.text, /\/reset\?invited#token=/)
})

t.test('streams every account in the export and disarms formulas', async (t) => {
  const { signIn } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  await signIn('=HYPERLINK("http://evil.example")', { name: '+1, "quoted"' })
  const { body, headers } = await admin.get<string>('/api/admin/users/export.csv')
  t.match(headers.get('content-disposition'), /attachment; filename="lanewire-users-.*\.csv"/)
  t.match(body, `"'=HYPERLINK(""http://evil.example"")"`)
  t.match(body, `"'+1, ""quoted"""`)
  t.equal(body.trim().split('\r\n').length, 3)
})

t.test('lets a party ask for a review and an admin decide it, without changing the deal', async (t) => {
  const { signIn, server } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  const [seller, buyer, outsider] = [
    await signIn('Seller Cars'),
    await signIn('Buyer Cars'),
    await signIn('Other Cars'),
  ]
  const deal = {
    sellerId: seller.id,
    buyerId: buyer.id,
    make: 'Ford',
    model: 'F-150',
    year: 2021,
    priceCents: 2_450_000,
  }
  const rows = await server.ctx.db
    .insertInto('deals')
    .values([deal, deal, deal, { ...deal, status: 'completed' }])
    .returning('id')
    .execute()
  const [first = '', second = '', third = '', over = ''] = rows.map((row) => row.id)
  const listed = async () => (await admin.get<AdminDealsPage>('/api/admin/deals?q=f-150')).body
  t.same((await listed()).counts, { total: 0, pending: 0, approved: 0, rejected: 0 }, 'no deal is submitted by itself')
  t.equal((await admin.post(`/api/admin/deals/${first}/approve`, {})).status, 409, 'nor decided by then')
  const submit = (by: Caller, id: string) => by.put<DealDetail>(`/api/deal/${id}/submission`)
  t.equal((await submit(outsider, first)).status, 404)
  t.equal((await submit(admin, first)).status, 404)
  t.equal((await submit(seller, over)).status, 409)
  t.match((await submit(buyer, first)).body, { review: { status: 'pending' }, may: { submit: false } })
  t.equal((await submit(seller, first)).status, 409, 'refused the second time')
  for (const id of [second, third]) await submit(seller, id)
  const page = await listed()
  t.same(page.counts, { total: 3, pending: 3, approved: 0, rejected: 0 })
  t.match(page.deals[0], { status: 'pending', dealStatus: 'pending', price: 24_500, vehicleInfo: '2021 Ford F-150' })

  const tabs = [await seller.live(), await buyer.live()]
  const deaf = await outsider.live()
  const heard = Promise.all(tabs.map((tab) => tab.nextEvent('inbox.changed', ({ what }) => what === 'deal')))
  t.equal((await seller.post(`/api/admin/deals/${first}/approve`, {})).status, 403)
  t.match((await admin.post(`/api/admin/deals/${first}/approve`, {})).body, {
    status: 'approved',
    dealStatus: 'pending',
  })
  t.match(await heard, [{ id: first }, { id: first }])
  t.equal((await admin.post(`/api/admin/deals/${first}/approve`, {})).status, 409, 'refused the second time')
  t.match(
    (await buyer.get<DealDetail>(`/api/deal/${first}`)).body,
    { status: 'pending', documents: [] },
    "the seller's approval is still missing",
  )
  t.equal((await admin.post(`/api/admin/deals/${second}/reject`, {})).status, 400, 'a rejection needs a reason')
  t.equal((await admin.post(`/api/admin/deals/${second}/reject`, reason)).status, 200)
  for (const party of [seller, buyer]) {
    const { body } = await party.get<DealDetail>(`/api/deal/${second}`)
    t.match(body, { status: 'pending', review: { status: 'rejected', reason: reason.reason }, may: { submit: true } })
    t.match(body.steps.at(-1), { kind: 'review_rejected', note: reason.reason })
    const { body: notices } = await party.get<NotificationsPage>('/api/notifications')
    t.match(notices.items[0], { title: 'Lanewire rejected your deal', body: `2021 Ford F-150: ${reason.reason}` })
  }
  t.notMatch(JSON.stringify((await outsider.get(`/api/deal/${second}`)).body), reason.reason, 'only parties read why')
  t.same((await outsider.get<NotificationsPage>('/api/notifications')).body.items, [])
  t.same(await deaf.receivedAfterRoundTrip('inbox.changed'), [])

  await buyer.post(`/api/deal/${third}/cancel`)
  t.equal((await admin.post(`/api/admin/deals/${third}/approve`, {})).status, 409, 'cancelled deals stay')
  t.match((await buyer.get<DealDetail>(`/api/deal/${third}`)).body, { status: 'cancelled' })
  t.same((await listed()).counts, { total: 2, pending: 0, approved: 1, rejected: 1 }, 'the counts include decisions')
  t.match((await submit(buyer, second)).body, { review: { status: 'pending', reason: '' } }, 'the dealer can ask again')
  const other = { reason: 'The mileage is missing' }
  t.equal((await admin.post(`/api/admin/deals/${second}/reject`, other)).status, 200)
  const { steps } = (await buyer.get<DealDetail>(`/api/deal/${second}`)).body
  t.same(
    steps.filter(({ kind }) => kind === 'review_rejected').map(({ note }) => note),
    [null, other.reason],
    'each rejection has its own reason',
  )
})

t.test('shows a promotion live to its audience while it runs, and to nobody else', async (t) => {
  const { signIn } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  const [basic, premium] = [await signIn('Basic Cars'), await signIn('Premium Cars', { plan: 'premium' })]
  const input = {
    title: 'Half price',
    message: 'This week',
    type: 'promotion',
    targetAudience: 'basic',
    startDate: utcDate(-1),
    endDate: utcDate(1),
  }
  t.equal((await admin.post('/api/admin/promotions', { ...input, title: ' ' })).status, 400)
  t.equal((await admin.post('/api/admin/promotions', { ...input, endDate: '2020-01-01' })).status, 400)
  const tab = await basic.live()
  const changed = tab.nextEvent('promotions.changed')
  const { body: promotion } = await admin.post<Promotion>('/api/admin/promotions', input)
  t.equal(promotion.isActive, true, 'a new promotion is active')
  await changed
  const titles = async (dealer: typeof basic) =>
    (await dealer.get<Promotion[]>('/api/promotions')).body.map((one) => one.title)
  t.same(await titles(basic), ['Half price'])
  t.same(await titles(premium), [])
  const onItsOnlyDay = await withinOneDay(async (today) => {
    await admin.patch(`/api/admin/promotions/${promotion.id}`, { startDate: today, endDate: today })
    return titles(basic)
  })
  t.same(onItsOnlyDay, ['Half price'], 'its first and last day count')
  await admin.patch(`/api/admin/promotions/${promotion.id}`, { isActive: false })
  t.same(await titles(basic), [], 'paused')
  t.equal((await admin.delete(`/api/admin/promotions/${promotion.id}`)).status, 204)
  t.equal((await admin.delete(`/api/admin/promotions/${promotion.id}`)).status, 404)
})

t.test('applies a new price to new subscribers and sums what the others pay as revenue', async (t) => {
  const { signIn, server } = await startApp(t)
  const admin = await signIn('Lanewire', { role: 'admin' })
  const dealer = await signIn('Basic Cars')
  await signIn('Given Cars')
  await server.ctx.db
    .updateTable('subscriptions')
    .set({ stripeId: 'sub_1' })
    .where('dealerId', '=', dealer.id)
    .execute()
  t.equal((await admin.patch('/api/admin/plans/basic', { price: 10.5 })).status, 400, 'prices are whole numbers')
  const { body, status } = await admin.patch<AdminPricing>('/api/admin/plans/basic', { price: 120 })
  t.equal(status, 200)
  t.match(body.plans[0], { id: 'basic', price: 120, userCount: 1, gifts: 1, revenue: 99, share: 100 })
  const plans = await dealer.get<{ id: string; price: number }[]>('/api/subscription-plans')
  t.equal(plans.body.find((plan) => plan.id === 'basic')?.price, 120)
  const overview = await admin.get<AdminOverview>('/api/admin/overview')
  t.match(
    overview.body,
    { monthlyRevenue: 99, annualRevenue: 1_188, subscribers: 1, gifts: 1 },
    'a gift is not revenue',
  )
  t.equal(overview.body.dealers, 2, 'staff do not count as dealers')
  const audit = await admin.get<AuditPage>('/api/admin/audit?action=plan.edit')
  t.match(audit.body.entries[0], { before: { price: 99 }, after: { price: 120 } })
})

t.test('refuses changes to the audit log, even by the database owner', async (t) => {
  const { signIn, server } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  await admin.get('/api/admin/users/export.csv')
  await t.rejects(server.ctx.db.updateTable('auditLog').set({ reason: 'x' }).execute(), /append-only/)
  await t.rejects(server.ctx.db.deleteFrom('auditLog').execute(), /append-only/)
})

t.test('keeps data for whole months, also if the month at the start is shorter', async (t) => {
  const { server, signIn } = app
  const dealer = await signIn()
  await sql`update retention set log_months = 3`.execute(server.ctx.db)
  t.teardown(() => sql`update retention set log_months = 6`.execute(server.ctx.db))
  for (const day of ['2027-02-27', '2027-03-01'])
    await sql`insert into sessions (hash, dealer_id, expires_at) values (${day}, ${dealer.id}, ${day}::date)`.execute(
      server.ctx.db,
    )
  await applyRetention({ ...server.ctx, now: () => new Date('2027-05-31T12:00:00Z') }, sweeps)
  const { rows } = await sql<{ hash: Buffer }>`select hash from sessions where expires_at >= '2027-01-01'`.execute(
    server.ctx.db,
  )
  t.same(
    rows.map(({ hash }) => hash.toString()),
    ['2027-03-01'],
  )
})
