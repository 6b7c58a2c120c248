import t from 'tap'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { IssuePreview, NewsletterIssue, SubscribersPage } from '#shared/schemas/site.ts'
import { unsubscribeLink } from '#server/features/site/newsletter.service.ts'
import { newsletterJobs } from '#server/features/site/site.jobs.ts'
import { startApp, type TestApp } from '#tests/support/app.ts'
import { mailsOf } from '#tests/support/mail.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const words = { subject: 'What is new in November', text: 'Two things.\n\nFirst the lanes, then the rest.' }

async function subscribe({ server }: TestApp, ...emails: string[]): Promise<void> {
  const rows = emails.map((email) => ({ list: 'newsletter' as const, email, confirmedAt: new Date() }))
  await server.ctx.db.insertInto('listSubscribers').values(rows).execute()
}

const issuesPath = '/api/admin/newsletter/issues'

t.test('writes, previews and sends an issue once per subscriber, with one-click unsubscribe', async (t) => {
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const { db } = app.server.ctx
  await subscribe(app, 'ann@dealer.example', 'ben@dealer.example')
  await db.insertInto('listSubscribers').values({ list: 'newsletter', email: 'not@confirmed.example' }).execute()
  const list = async () => (await admin.get<SubscribersPage>('/api/admin/newsletter/subscribers')).body
  t.equal((await list()).confirmed, 2)
  t.same(
    (await list()).subscribers.map(({ email, confirmedAt }) => [email, confirmedAt !== null]),
    [
      ['not@confirmed.example', false],
      ['ben@dealer.example', true],
      ['ann@dealer.example', true],
    ],
  )
  const made = await admin.post<NewsletterIssue>(issuesPath, { ...words, text: 'One thing.' })
  t.equal(made.status, 201)
  const path = `${issuesPath}/${made.body.id}`
  t.match((await admin.put(path, { ...words, subject: ' What is new\r\nin November ' })).body, words)
  const { body: preview } = await admin.get<IssuePreview>(`${path}/preview`)
  t.match(preview, { subject: words.subject, recipients: 2 })
  t.ok(preview.text.startsWith(words.text))
  const another = await app.signIn('Lanewire', { role: 'admin' })
  t.match((await another.put(path, { text: 'Another thing.' })).body, { ...words, text: 'Another thing.' })
  t.equal((await another.put(path, {})).status, 400)
  t.match(await admin.post(`${path}/send`, preview), {
    status: 409,
    body: { error: { message: 'This issue was changed after you previewed it. Preview it again, then send it' } },
  })
  t.same(await mailsOf(app), [], 'nothing was sent')
  const { body: again } = await admin.get<IssuePreview>(`${path}/preview`)
  t.ok(again.text.startsWith('Another thing.'))
  t.match((await admin.post(`${path}/send`, again)).body, { sentAt: String })
  const read = async () => (await admin.get<NewsletterIssue[]>(issuesPath)).body[0]
  await until('both mails', async () => (await read())?.delivered === 2)
  t.match(await read(), { recipients: 2 })
  const mails = await mailsOf(app)
  t.same(mails.map(({ to }) => to).toSorted(), ['ann@dealer.example', 'ben@dealer.example'])
  for (const act of [admin.post(`${path}/send`, again), admin.put(path, words), admin.delete(path)])
    t.equal((await act).status, 409, 'a sent issue stays')

  const [mail] = mails
  const url = new URL(mail?.unsubscribeUrl ?? '')
  t.ok(mail?.text.includes(url.href))
  const press = (search: string) =>
    fetch(app.url + url.pathname + search, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
  t.equal((await press(url.search.replace('key=', 'key=x'))).status, 404)
  t.equal((await list()).confirmed, 2)
  t.equal((await press(url.search)).status, 204)
  t.equal((await press(url.search)).status, 204, 'a second time changes nothing')
  t.equal((await list()).confirmed, 1)
  t.notOk((await list()).subscribers.some(({ email }) => email === mail?.to))
  const { body } = await admin.get<AuditPage>('/api/admin/audit?action=newsletter')
  t.same(
    body.entries.map(({ action }) => action),
    ['newsletter.send', 'newsletter.edit', 'newsletter.edit', 'newsletter.create'],
  )
})

t.test("unsubscribes with one click with any session, with none, and from a mail provider's site", async (t) => {
  const { db, config } = app.server.ctx
  const change = (id: string, about: { profileCompletedAt: null } | { waitingSince: Date }) =>
    db.updateTable('dealers').set(about).where('id', '=', id).execute()
  const [dealer, unfinished, waiting] = [await app.signIn(), await app.signIn(), await app.signIn()]
  await change(unfinished.id, { profileCompletedAt: null })
  await change(waiting.id, { waitingSince: new Date() })
  const senders: Record<string, Record<string, string>> = {
    'no session': {},
    'a session': { cookie: dealer.cookie },
    'a session without a profile': { cookie: unfinished.cookie },
    'a session that waits for an admin': { cookie: waiting.cookie },
    'an unknown session': { cookie: 'lanewire=nothing' },
    'another site': { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' },
  }
  await subscribe(app, ...Object.keys(senders).map((_, no) => `reader${no}@dealer.example`))
  const subscribers = await db.selectFrom('listSubscribers').select('id').execute()
  for (const [name, headers] of Object.entries(senders)) {
    const { pathname, search } = new URL(unsubscribeLink(config, 'newsletter', subscribers.pop()?.id ?? ''))
    const press = await fetch(app.url + pathname + search, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: 'List-Unsubscribe=One-Click',
    })
    t.equal(press.status, 204, name)
  }
  t.same(await db.selectFrom('listSubscribers').select('id').execute(), [])
})

t.test('sends no second email after a crash, and resends an unconfirmed one unchanged', async (t) => {
  const smtp = await startMailServer(t)
  const app = await startApp(t, { SMTP_URL: smtp.url })
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  await subscribe(app, 'ann@dealer.example')
  const { body: issue } = await admin.post<NewsletterIssue>(issuesPath, words)
  await admin.post(`${issuesPath}/${issue.id}/send`, issue)
  const first = await smtp.mail(1)
  first.hangUp()
  const again = await smtp.mail(2)
  t.equal(again.messageId, first.messageId, "which the recipient's server recognizes")
  t.equal(again.text, first.text)
  t.match(again.head, /^List-Unsubscribe: ?\s*<http\S+\/api\/lists\/newsletter\/leave\?id=\S+>/m)
  t.match(again.head, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m)
  again.accept()
  const { ctx } = app.server
  await until('the delivery', async () => (await admin.get<NewsletterIssue[]>(issuesPath)).body[0]?.delivered === 1)
  // Run the job again, as after a crash just before it completed.
  await ctx.transact((_tx, emit) => emit.job('newsletter.send', { issueId: issue.id }))
  await until('no job', async () => (await ctx.db.selectFrom('outbox').select('id').execute()).length === 0)
  t.equal(smtp.mails.length, 2, 'nothing more was sent')
  const job = newsletterJobs['mail.newsletter']
  const { id } = await ctx.db.selectFrom('listSubscribers').select('id').executeTakeFirstOrThrow()
  const run = { id: 'job', repeated: true, secret: '', config: ctx.config, now: new Date() }
  if ('write' in job)
    t.equal(await ctx.transact((tx) => job.write(tx, { issueId: issue.id, subscriberId: id }, run)), undefined)
})

t.test('limits subscribers and issues to admins, and refuses an issue without readers', async (t) => {
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const { body: issue } = await admin.post<NewsletterIssue>(issuesPath, words)
  const path = `${issuesPath}/${issue.id}`
  for (const [caller, status] of [
    [app.visitor, 401],
    [await app.signIn('Acme Motors'), 403],
    [await app.signIn('Desk', { role: 'ops' }), 403],
  ] as const) {
    t.equal((await caller.get('/api/admin/newsletter/subscribers')).status, status)
    t.equal((await caller.get(issuesPath)).status, status)
    t.equal((await caller.post(issuesPath, words)).status, status)
    t.equal((await caller.put(path, words)).status, status)
    t.equal((await caller.get(`${path}/preview`)).status, status)
    t.equal((await caller.post(`${path}/send`, issue)).status, status)
    t.equal((await caller.delete(path)).status, status)
  }
  t.match(await admin.post(`${path}/send`, issue), {
    status: 409,
    body: { error: { message: 'The newsletter has no subscribers yet' } },
  })
  t.equal((await admin.post(issuesPath, { ...words, subject: ' ' })).status, 400)
  t.equal((await admin.delete(path)).status, 204)
  t.equal((await admin.get(`${path}/preview`)).status, 404)
})
