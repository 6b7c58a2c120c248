import t from 'tap'
import type { AuditPage } from '#shared/schemas/admin.ts'
import type { Incident } from '#shared/schemas/ops.ts'
import { startApp } from '#tests/support/app.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const outage = {
  title: 'Slow sign-in',
  text: 'Signing in took up to ten seconds.',
  planned: false,
  startedAt: '2026-11-01T08:00:00.000Z',
  endedAt: null,
}

t.test('an incident is written, corrected and resolved by an admin, read by anybody, and written down', async (t) => {
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

t.test('what cannot be is refused in words, and nobody but an admin writes', async (t) => {
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
    error: { message: 'The end is before the start' },
  })
  t.equal((await admin.post('/api/admin/incidents', { ...outage, title: '  ' })).status, 400)
  t.equal((await admin.patch(`/api/admin/incidents/${dealer.id}`, { title: 'No such' })).status, 404)
  const later = { ...outage, startedAt: '2126-11-01T08:00:00.000Z' }
  const { body: planned } = await admin.post<Incident>('/api/admin/incidents', later)
  t.equal((await admin.post(`/api/admin/incidents/${planned.id}/resolve`)).status, 409, 'it has not begun')
})
