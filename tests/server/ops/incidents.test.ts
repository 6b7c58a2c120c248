import t from 'tap'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { Incident } from '#shared/schemas/ops.ts'
import { startApp } from '#tests/support/app.ts'
import { mailsOf, mailTo } from '#tests/support/mail.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const outage = {
  title: 'Slow sign-in',
  text: 'Signing in took up to ten seconds.',
  planned: false,
  startedAt: '2026-11-01T08:00:00.000Z',
  endedAt: null,
}

t.test("publishes, corrects and resolves an admin's incident, readable by all and audited", async (t) => {
  const { signIn, visitor } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  const told = async () => (await visitor.get<Incident[]>('/api/status/incidents')).body
  t.same(await told(), [])
  const made = await admin.post<Incident>('/api/admin/incidents', outage)
  t.equal(made.status, 201)
  t.match(await told(), [outage], 'at once')
  const path = `/api/admin/incidents/${made.body.id}`
  const text = 'Signing in took up to a minute.'
  t.match((await admin.patch<Incident>(path, { text })).body, { ...outage, text })
  t.match((await admin.post<Incident>(`${path}/resolve`)).body, { text })
  t.ok((await told())[0]?.endedAt)
  t.equal((await admin.post(`${path}/resolve`)).status, 409, 'only once')
  const { body } = await admin.get<AuditPage>('/api/admin/audit?action=incident')
  t.match(
    body.entries.map(({ action, subjectId, actorId }) => ({ action, subjectId, actorId })),
    ['resolve', 'edit', 'create'].map((verb) => ({
      action: `incident.${verb}`,
      subjectId: made.body.id,
      actorId: admin.id,
    })),
  )
  t.match(body.entries[1], { before: { text: outage.text }, after: { text } })
})

t.test('mails an incident and its end to the subscribers of the status page, until they unsubscribe', async (t) => {
  const { ctx } = app.server
  const subscribe = (list: 'status' | 'newsletter', email: string, confirmedAt: Date | null) =>
    ctx.db.insertInto('listSubscribers').values({ list, email, confirmedAt }).returning('id').executeTakeFirstOrThrow()
  const email = 'priya@lakefront.example'
  const { id } = await subscribe('status', email, new Date())
  await subscribe('status', 'unconfirmed@dealer.example', null)
  await subscribe('newsletter', 'reader@dealer.example', new Date())
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const made = await admin.post<Incident>('/api/admin/incidents', outage)
  const first = await mailTo(app, email, /^Incident: Slow sign-in$/)
  t.match(first.text, /up to ten seconds\.\n\nSince Nov 1, 2026, 8:00.AM UTC\.\n\n\S+\/status\n/)
  t.match(first.unsubscribeUrl, /\/api\/lists\/status\/leave\?/)
  await admin.post(`/api/admin/incidents/${made.body.id}/resolve`)
  t.match((await mailTo(app, email, /^Incident resolved: Slow sign-in$/)).text, /\nFrom Nov 1, 2026, 8:00.AM UTC to /)
  t.same(
    (await mailsOf(app)).map(({ to }) => to),
    [email, email],
  )
  await ctx.db.deleteFrom('listSubscribers').where('id', '=', id).execute()
  await admin.post('/api/admin/incidents', { ...outage, title: 'Moving house', planned: true })
  await until('the job to be done', async () => {
    const rows = await ctx.db.selectFrom('outbox').select('id').where('name', 'like', '%incident%').execute()
    return rows.length === 0
  })
  t.equal((await mailsOf(app)).length, 2)
})

t.test('refuses invalid incidents with a reason, and writers other than admins', async (t) => {
  const { signIn, visitor } = app
  const admin = await signIn('Lanewire', { role: 'admin' })
  const [dealer, ops] = [await signIn('Acme Motors'), await signIn('Desk', { role: 'ops' })]
  const { body: made } = await admin.post<Incident>('/api/admin/incidents', outage)
  const path = `/api/admin/incidents/${made.id}`
  for (const caller of [dealer, ops]) {
    t.equal((await caller.get('/api/admin/incidents')).status, 403)
    t.equal((await caller.post('/api/admin/incidents', outage)).status, 403)
    t.equal((await caller.patch(path, { title: 'Nothing happened' })).status, 403)
    t.equal((await caller.post(`${path}/resolve`)).status, 403)
  }
  t.equal((await visitor.post('/api/admin/incidents', outage)).status, 401)
  t.match((await admin.post('/api/admin/incidents', { ...outage, endedAt: '2026-10-31T08:00:00.000Z' })).body, {
    error: { message: 'The end must be after the start' },
  })
  t.equal((await admin.post('/api/admin/incidents', { ...outage, title: '  ' })).status, 400)
  t.equal((await admin.patch(`/api/admin/incidents/${dealer.id}`, { title: 'No such' })).status, 404)
  const later = { ...outage, startedAt: '2126-11-01T08:00:00.000Z' }
  const { body: planned } = await admin.post<Incident>('/api/admin/incidents', later)
  t.equal((await admin.post(`/api/admin/incidents/${planned.id}/resolve`)).status, 409, 'it has not begun yet')
})
